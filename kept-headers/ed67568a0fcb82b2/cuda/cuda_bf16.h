// Bfloat16: the upper half of a float, rounded to the nearest, to even where there are two.
#pragma once
#include "half_functions.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __hw_x;
  __nv_bfloat16() = default;
  __hw_member __nv_bfloat16(const __nv_bfloat16_raw& x) : __hw_x(x.x) {}
  __hw_member __nv_bfloat16(float x) : __hw_x(rounded(x)) {}
  __hw_member __nv_bfloat16(double x) : __hw_x(rounded(__hw_float_to_odd(x))) {}
  __hw_member __nv_bfloat16(int x) : __nv_bfloat16((double)x) {}
  __hw_member __nv_bfloat16(unsigned x) : __nv_bfloat16((double)x) {}
  __hw_member operator float() const { return __hw_bits<float>((unsigned)__hw_x << 16); }

  static __hw_member unsigned short rounded(float x) {
    const unsigned bits = __hw_bits<unsigned>(x);
    return x != x ? 0x7fff : (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;
#define __hw_half_operator(T, op) \
  __hw_weak T operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return T((float)a op(float) b); }
__hw_half_operator(__nv_bfloat16, +) __hw_half_operator(__nv_bfloat16, -)
__hw_half_operator(__nv_bfloat16, *) __hw_half_operator(__nv_bfloat16, /)
__hw_half_operator(bool, <) __hw_half_operator(bool, >) __hw_half_operator(bool, <=)
__hw_half_operator(bool, >=) __hw_half_operator(bool, ==) __hw_half_operator(bool, !=)
#undef __hw_half_operator
__hw_half_operators(__nv_bfloat16, __nv_bfloat162)
__hw_half_functions(__nv_bfloat16, __nv_bfloat162)
template <> struct __hw_half_format<__nv_bfloat16> {
  static constexpr int digits = 8;
  static constexpr double largest = 0x1.fep127;
};
__hw_half_all_integers(__nv_bfloat16, bfloat16)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
__hw_both __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
__hw_both __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
__hw_both __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
__hw_both float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
__hw_both __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
__hw_both __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
__hw_both __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
__hw_both float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
__hw_both __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
__hw_both __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__hw_both __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__hw_both __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__hw_both __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__hw_both __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
__hw_both __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
