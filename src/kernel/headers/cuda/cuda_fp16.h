// Reals of 16 bits.
#pragma once
#include "device_functions.h"
#include "atomic_functions.h"
#include "math_functions.h"

struct __attribute__((aligned(2))) __half {
  _Float16 __hw_x;
  __half() = default;
  __hw_member __half(float x) : __hw_x((_Float16)x) {}
  __hw_member __half(double x) : __hw_x((_Float16)x) {}
  __hw_member __half(int x) : __hw_x((_Float16)x) {}
  __hw_member __half(unsigned x) : __hw_x((_Float16)x) {}
  __hw_member operator float() const { return (float)__hw_x; }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
};
typedef __half2 half2;
#define __hw_half(op)                                                              \
  __hw_weak __half operator op(__half a, __half b) {                               \
    __half r;                                                                      \
    r.__hw_x = a.__hw_x op b.__hw_x;                                               \
    return r;                                                                      \
  }                                                                                \
  __hw_weak __half& operator op##=(__half& a, __half b) { return a = a op b; }     \
  __hw_weak __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }
__hw_half(+) __hw_half(-) __hw_half(*) __hw_half(/)
#undef __hw_half
#define __hw_half(op) \
  __hw_weak bool operator op(__half a, __half b) { return a.__hw_x op b.__hw_x; }
__hw_half(<) __hw_half(>) __hw_half(<=) __hw_half(>=) __hw_half(==) __hw_half(!=)
#undef __hw_half
__hw_weak __half operator-(const __half& a) { return __half(-(float)a); }
__hw_both __half __float2half(float x) { return __half(x); }
__hw_both __half __float2half_rn(float x) { return __half(x); }
__hw_both __half __double2half(double x) { return __half(x); }
__hw_both __half __int2half_rn(int x) { return __half(x); }
__hw_both float __half2float(__half x) { return (float)x; }
__hw_both int __half2int_rn(__half x) { return (int)rintf((float)x); }
__hw_both int __half2int_rz(__half x) { return (int)(float)x; }
__hw_both unsigned short __half_as_ushort(__half x) { return __hw_bits<unsigned short>(x); }
__hw_both short __half_as_short(__half x) { return __hw_bits<short>(x); }
__hw_both __half __ushort_as_half(unsigned short x) { return __hw_bits<__half>(x); }
__hw_both __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
__hw_both __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
__hw_both __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
__hw_both float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
__hw_both __half2 __half2half2(__half x) { return {x, x}; }
__hw_both __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__hw_both __half2 make_half2(__half x, __half y) { return {x, y}; }
__hw_both __half __low2half(__half2 v) { return v.x; }
__hw_both __half __high2half(__half2 v) { return v.y; }
__hw_both float __low2float(__half2 v) { return (float)v.x; }
__hw_both float __high2float(__half2 v) { return (float)v.y; }
#define __hw_half(name, op)                                                    \
  __hw_both __half __h##name(__half a, __half b) { return a op b; }            \
  __hw_both __half2 __h##name##2(__half2 a, __half2 b) { return a op b; }
__hw_half(add, +) __hw_half(sub, -) __hw_half(mul, *)
#undef __hw_half
__hw_both __half __hdiv(__half a, __half b) { return a / b; }
__hw_both __half2 __h2div(__half2 a, __half2 b) { return a / b; }
__hw_both __half __hneg(__half a) { return -a; }
__hw_both __half __habs(__half a) { return __half(fabsf((float)a)); }
__hw_both __half __hfma(__half a, __half b, __half c) { return a * b + c; }
__hw_both __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return a * b + c; }
__hw_both bool __heq(__half a, __half b) { return a == b; }
__hw_both bool __hne(__half a, __half b) { return a != b; }
__hw_both bool __hlt(__half a, __half b) { return a < b; }
__hw_both bool __hle(__half a, __half b) { return a <= b; }
__hw_both bool __hgt(__half a, __half b) { return a > b; }
__hw_both bool __hge(__half a, __half b) { return a >= b; }
__hw_both __half __hmax(__half a, __half b) { return a > b ? a : b; }
__hw_both __half __hmin(__half a, __half b) { return a < b ? a : b; }
__hw_both bool __hisnan(__half a) { return a.__hw_x != a.__hw_x; }
#define __hw_half(name) __hw_both __half h##name(__half x) { return __half(name##f((float)x)); }
__hw_half(sqrt) __hw_half(rsqrt) __hw_half(exp) __hw_half(exp2) __hw_half(exp10) __hw_half(log)
__hw_half(log2) __hw_half(log10) __hw_half(sin) __hw_half(cos) __hw_half(floor) __hw_half(ceil)
__hw_half(trunc) __hw_half(rint)
#undef __hw_half
__hw_both __half hrcp(__half x) { return __half(1.0f / (float)x); }
// As exchanges until one succeeds.
__hw_device __half atomicAdd(__half* at, __half value) {
  unsigned short old = __headway_atomic_u16(__hw_load, at, 0, 0, 0, 3);
  for (;;) {
    const unsigned short sum = __half_as_ushort(__ushort_as_half(old) + value);
    const unsigned short found = __headway_atomic_u16(__hw_compare_exchange, at, sum, old, 0, 3);
    if (found == old) return __ushort_as_half(old);
    old = found;
  }
}
