// Halves: reals of 16 bits with 11 of precision.
#pragma once
#include "half_functions.h"

struct __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(2))) __half {
  _Float16 __hw_x;
  __half() = default;
  __hw_member __half(const __half_raw& x) : __hw_x(__hw_bits<_Float16>(x.x)) {}
  __hw_member __half(float x) : __hw_x((_Float16)x) {}
  __hw_member __half(double x) : __hw_x((_Float16)x) {}
  __hw_member __half(int x) : __hw_x((_Float16)x) {}
  __hw_member __half(unsigned x) : __hw_x((_Float16)x) {}
  __hw_member operator float() const { return (float)__hw_x; }
};
typedef __half half;
typedef __half __nv_half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
};
typedef __half2 half2;
typedef __half2 __nv_half2;
#define __hw_half_operator(op)                       \
  __hw_weak __half operator op(__half a, __half b) { \
    __half r;                                        \
    r.__hw_x = a.__hw_x op b.__hw_x;                 \
    return r;                                        \
  }
__hw_half_operator(+) __hw_half_operator(-) __hw_half_operator(*) __hw_half_operator(/)
#undef __hw_half_operator
#define __hw_half_operator(op) \
  __hw_weak bool operator op(__half a, __half b) { return a.__hw_x op b.__hw_x; }
__hw_half_operator(<) __hw_half_operator(>) __hw_half_operator(<=) __hw_half_operator(>=)
__hw_half_operator(==) __hw_half_operator(!=)
#undef __hw_half_operator
__hw_half_operators(__half, __half2)
__hw_half_functions(__half, __half2)
template <> struct __hw_half_format<__half> {
  static constexpr int digits = 11;
  static constexpr double largest = 65504;
};
__hw_half_all_integers(__half, half)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_ZERO_FP16 __ushort_as_half(0)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
__hw_both __half __float2half(float x) { return __half(x); }
__hw_both __half __float2half_rn(float x) { return __half(x); }
__hw_both __half __float2half_rz(float x) { return __hw_half_from<0, __half>(x); }
__hw_both __half __float2half_rd(float x) { return __hw_half_from<-1, __half>(x); }
__hw_both __half __float2half_ru(float x) { return __hw_half_from<1, __half>(x); }
__hw_both __half __double2half(double x) { return __half(x); }
__hw_both float __half2float(__half x) { return (float)x; }
__hw_both __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
__hw_both __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
__hw_both __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
__hw_both float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
__hw_both __half2 __half2half2(__half x) { return {x, x}; }
__hw_both __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__hw_both __half2 make_half2(__half x, __half y) { return {x, y}; }
__hw_both __half __low2half(__half2 v) { return v.x; }
__hw_both __half __high2half(__half2 v) { return v.y; }
__hw_both __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
__hw_both __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
__hw_both __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__hw_both __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
