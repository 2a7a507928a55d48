// What both kinds of reals of 16 bits have: functions of one, H, and of two in a struct, H2, over
// their operators. Functions of reals go by way of floats, which have all their values.
#pragma once
#include "device_functions.h"
#include "atomic_functions.h"
#include "math_functions.h"

// Rounded to odd: the last bit is 1 where digits were dropped, so that to round once more, to fewer
// digits, is as to round once (Boldo and Melquiond, "When double rounding is odd", 2005). Without
// branches, which would go both ways where x is unknown.
__hw_both float __hw_float_to_odd(double x) {
  const float near = (float)x;
  const double y = (double)near;
  const unsigned bits = __hw_bits<unsigned>(near) - (unsigned)(fabs(y) > fabs(x));
  return __hw_bits<float>(bits | (unsigned)(y != x));
}
__hw_both double __hw_fma_to_odd(double a, double b, double c) {
  const unsigned long long bits = __hw_bits<unsigned long long>(__fma_rz(a, b, c));
  return __hw_bits<double>(bits | (unsigned long long)(__fma_ru(a, b, c) != __fma_rd(a, b, c)));
}
template <class T> __hw_both double __hw_double_to_odd(T x) {
  if constexpr (sizeof(T) < 8) {
    return (double)x;
  } else {
    const T odd = (x & ~(T)4095) | ((T)((x & 4095) != 0) << 11);
    constexpr T most = (T)1 << 53, least = T(-1) < T(0) ? -most : 0;
    const bool fits = (bool)((int)(x <= most) & (int)(x >= least));
    return (double)(fits ? x : odd);
  }
}

#define __hw_half_operators(H, H2)                                                             \
  __hw_half_compound(H, H2, +) __hw_half_compound(H, H2, -)                                    \
  __hw_half_compound(H, H2, *) __hw_half_compound(H, H2, /)                                    \
  __hw_weak H operator-(const H& a) { return H(-(float)a); }                                   \
  __hw_weak H operator+(const H& a) { return a; }                                              \
  __hw_weak H& operator++(H& a) { return a = a + H(1); }                                       \
  __hw_weak H& operator--(H& a) { return a = a - H(1); }                                       \
  __hw_weak H operator++(H& a, int) { const H old = a; ++a; return old; }                      \
  __hw_weak H operator--(H& a, int) { const H old = a; --a; return old; }                      \
  __hw_weak H2 operator-(const H2& a) { return {-a.x, -a.y}; }                                 \
  __hw_weak bool operator==(H2 a, H2 b) { return (bool)((int)(a.x == b.x) & (int)(a.y == b.y)); } \
  __hw_weak bool operator!=(H2 a, H2 b) { return (bool)((int)(a.x != b.x) & (int)(a.y != b.y)); }
#define __hw_half_compound(H, H2, op)                                                          \
  __hw_weak H& operator op##=(H& a, H b) { return a = a op b; }                                \
  __hw_weak H2 operator op(H2 a, H2 b) { return {a.x op b.x, a.y op b.y}; }                    \
  __hw_weak H2& operator op##=(H2& a, H2 b) { return a = a op b; }

#define __hw_half_functions(H, H2)                                                             \
  __hw_half_arithmetic(H, H2, add, +) __hw_half_arithmetic(H, H2, sub, -)                      \
  __hw_half_arithmetic(H, H2, mul, *)                                                          \
  __hw_both H __hdiv(H a, H b) { return a / b; }                                               \
  __hw_both H2 __h2div(H2 a, H2 b) { return a / b; }                                           \
  __hw_both H __hw_saturated(H a) { return H(__saturatef((float)a)); }                         \
  __hw_both H2 __hw_saturated(H2 a) { return {__hw_saturated(a.x), __hw_saturated(a.y)}; }     \
  __hw_both H __hneg(H a) { return -a; }                                                       \
  __hw_both H2 __hneg2(H2 a) { return -a; }                                                    \
  __hw_both H __habs(H a) { return H(fabsf((float)a)); }                                       \
  __hw_both H2 __habs2(H2 a) { return {__habs(a.x), __habs(a.y)}; }                            \
  __hw_both H __hfma(H a, H b, H c) {                                                          \
    return H(__hw_fma_to_odd((double)(float)a, (double)(float)b, (double)(float)c));           \
  }                                                                                            \
  __hw_both H __hfma_sat(H a, H b, H c) { return __hw_saturated(__hfma(a, b, c)); }            \
  __hw_both H __hfma_relu(H a, H b, H c) {                                                     \
    const H r = __hfma(a, b, c);                                                               \
    return (float)r <= 0 ? H(0.0f) : r;                                                        \
  }                                                                                            \
  __hw_both H2 __hfma2(H2 a, H2 b, H2 c) {                                                     \
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                     \
  }                                                                                            \
  __hw_both H2 __hfma2_sat(H2 a, H2 b, H2 c) { return __hw_saturated(__hfma2(a, b, c)); }      \
  __hw_both H2 __hfma2_relu(H2 a, H2 b, H2 c) {                                                \
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};                           \
  }                                                                                            \
  __hw_half_compare(H, H2, eq, ==) __hw_half_compare(H, H2, ne, !=)                            \
  __hw_half_compare(H, H2, lt, <) __hw_half_compare(H, H2, le, <=)                             \
  __hw_half_compare(H, H2, gt, >) __hw_half_compare(H, H2, ge, >=)                             \
  __hw_both bool __hisnan(H a) { return a != a; }                                              \
  __hw_both int __hisinf(H a) { return isinf((float)a) ? ((float)a < 0 ? -1 : 1) : 0; }        \
  __hw_both H2 __hisnan2(H2 a) { return {H((int)__hisnan(a.x)), H((int)__hisnan(a.y))}; }      \
  __hw_half_choose(H, H2, max, fmaxf) __hw_half_choose(H, H2, min, fminf)                      \
  __hw_both float __low2float(H2 v) { return (float)v.x; }                                     \
  __hw_both float __high2float(H2 v) { return (float)v.y; }                                    \
  __hw_both H2 __lowhigh2highlow(H2 v) { return {v.y, v.x}; }                                  \
  __hw_half_real(H, H2, sqrt) __hw_half_real(H, H2, rsqrt) __hw_half_real(H, H2, exp)          \
  __hw_half_real(H, H2, exp2) __hw_half_real(H, H2, exp10) __hw_half_real(H, H2, log)          \
  __hw_half_real(H, H2, log2) __hw_half_real(H, H2, log10) __hw_half_real(H, H2, sin)          \
  __hw_half_real(H, H2, cos) __hw_half_real(H, H2, tanh) __hw_half_real(H, H2, floor)          \
  __hw_half_real(H, H2, ceil) __hw_half_real(H, H2, trunc) __hw_half_real(H, H2, rint)         \
  __hw_both H hrcp(H x) { return H(1.0f / (float)x); }                                         \
  __hw_both H2 h2rcp(H2 v) { return {hrcp(v.x), hrcp(v.y)}; }                                  \
  __hw_device H atomicAdd(H* at, H value) { return __hw_atomic_add_half(at, value); }          \
  __hw_device H2 atomicAdd(H2* at, H2 value) {                                                 \
    return {atomicAdd(&at->x, value.x), atomicAdd(&at->y, value.y)};                           \
  }
#define __hw_half_arithmetic(H, H2, name, op)                                                  \
  __hw_both H __h##name(H a, H b) { return a op b; }                                           \
  __hw_both H __h##name##_rn(H a, H b) { return a op b; }                                      \
  __hw_both H __h##name##_sat(H a, H b) { return H(__saturatef((float)(a op b))); }            \
  __hw_both H2 __h##name##2(H2 a, H2 b) { return a op b; }                                     \
  __hw_both H2 __h##name##2_rn(H2 a, H2 b) { return a op b; }                                  \
  __hw_both H2 __h##name##2_sat(H2 a, H2 b) {                                                  \
    return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)};                             \
  }
// With a u they hold where an operand is no number, too, and without it never.
#define __hw_half_compare(H, H2, name, op)                                                     \
  __hw_both bool __h##name(H a, H b) {                                                         \
    return (bool)((int)(a op b) & (int)(a == a) & (int)(b == b));                              \
  }                                                                                            \
  __hw_both bool __h##name##u(H a, H b) {                                                      \
    return (bool)((int)(a op b) | (int)(a != a) | (int)(b != b));                              \
  }                                                                                            \
  __hw_half_compare_pairs(H, H2, name) __hw_half_compare_pairs(H, H2, name##u)
#define __hw_half_compare_pairs(H, H2, name)                                                   \
  __hw_both H2 __h##name##2(H2 a, H2 b) {                                                      \
    return {H((int)__h##name(a.x, b.x)), H((int)__h##name(a.y, b.y))};                         \
  }                                                                                            \
  __hw_both bool __hb##name##2(H2 a, H2 b) {                                                   \
    return (bool)((int)__h##name(a.x, b.x) & (int)__h##name(a.y, b.y));                        \
  }
#define __hw_half_choose(H, H2, name, f)                                                       \
  __hw_both H __h##name(H a, H b) { return H(f((float)a, (float)b)); }                         \
  __hw_both H __h##name##_nan(H a, H b) { return a != a ? a : b != b ? b : __h##name(a, b); }  \
  __hw_both H2 __h##name##2(H2 a, H2 b) { return {__h##name(a.x, b.x), __h##name(a.y, b.y)}; } \
  __hw_both H2 __h##name##2_nan(H2 a, H2 b) {                                                  \
    return {__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y)};                             \
  }
#define __hw_half_real(H, H2, name)                                                            \
  __hw_both H h##name(H x) { return H(name##f((float)x)); }                                    \
  __hw_both H2 h2##name(H2 v) { return {h##name(v.x), h##name(v.y)}; }

// How many binary digits there are, and the largest number.
template <class H> struct __hw_half_format;
// An integer, rounded in a direction as by __hw_of_digits.
template <int direction, class H, class T> __hw_both H __hw_half_of(T x) {
  typedef __hw_half_format<H> F;
  const double r = __hw_of_digits<direction, F::digits>(x);
  const bool away = direction == (x < 0 ? -1 : 1);
  if (!away && r > F::largest) return H(F::largest);
  return !away && r < -F::largest ? H(-F::largest) : H(r);
}
template <int direction, class H> __hw_both H __hw_half_from(float x) {
  const H near = H(x);
  const float y = (float)near;
  const unsigned short bits = __hw_bits<unsigned short>(near);
  const bool longer = x < 0 ? y < x : y > x, shorter = x < 0 ? y > x : y < x;
  const bool away = direction == (x < 0 ? -1 : 1);
  if (away && shorter) return __hw_bits<H>((unsigned short)(bits + 1));
  return !away && longer ? __hw_bits<H>((unsigned short)(bits - 1)) : near;
}
// Conversions to and from integers: __half2int_rz is __hw_half_integers(__half, half, int, int).
#define __hw_half_integers(H, word, name, T)                                                   \
  __hw_both T __##word##2##name##_rn(H x) { return (T)rintf((float)x); }                       \
  __hw_both T __##word##2##name##_rz(H x) { return (T)(float)x; }                              \
  __hw_both T __##word##2##name##_rd(H x) { return (T)floorf((float)x); }                      \
  __hw_both T __##word##2##name##_ru(H x) { return (T)ceilf((float)x); }                       \
  __hw_both H __##name##2##word##_rn(T x) { return H(__hw_double_to_odd(x)); }                 \
  __hw_both H __##name##2##word##_rz(T x) { return __hw_half_of<0, H>(x); }                    \
  __hw_both H __##name##2##word##_rd(T x) { return __hw_half_of<-1, H>(x); }                   \
  __hw_both H __##name##2##word##_ru(T x) { return __hw_half_of<1, H>(x); }
#define __hw_half_all_integers(H, word)                                                        \
  __hw_half_integers(H, word, int, int) __hw_half_integers(H, word, uint, unsigned)            \
  __hw_half_integers(H, word, short, short) __hw_half_integers(H, word, ushort, unsigned short) \
  __hw_half_integers(H, word, ll, long long) __hw_half_integers(H, word, ull, unsigned long long) \
  __hw_both signed char __##word##2char_rz(H x) { return (signed char)(float)x; }              \
  __hw_both unsigned char __##word##2uchar_rz(H x) { return (unsigned char)(float)x; }         \
  __hw_both short __##word##_as_short(H x) { return __hw_bits<short>(x); }                     \
  __hw_both unsigned short __##word##_as_ushort(H x) { return __hw_bits<unsigned short>(x); }  \
  __hw_both H __short_as_##word(short x) { return __hw_bits<H>(x); }                           \
  __hw_both H __ushort_as_##word(unsigned short x) { return __hw_bits<H>(x); }

// As exchanges until one succeeds.
template <class H> __hw_device H __hw_atomic_add_half(H* at, H value) {
  unsigned short old = __headway_atomic_u16(__hw_load, at, 0, 0, 0, 3);
  for (;;) {
    const unsigned short sum = __hw_bits<unsigned short>(__hw_bits<H>(old) + value);
    const unsigned short found = __headway_atomic_u16(__hw_compare_exchange, at, sum, old, 0, 3);
    if (found == old) return __hw_bits<H>(old);
    old = found;
  }
}
