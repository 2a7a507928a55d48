// Functions of reals, and min, max and abs of everything. What libm has is declared under its name.
#pragma once
#include "vector_types.h"

#define __hw_libm1(name)                            \
  __hw_known float name##f(float) noexcept;         \
  __hw_known double name(double) noexcept;          \
  __hw_weak float name(float x) { return name##f(x); } \
  __hw_integral1(name)
#define __hw_libm2(name)                                                          \
  __hw_known float name##f(float, float) noexcept;                                \
  __hw_known double name(double, double) noexcept;                                \
  __hw_weak float name(float x, float y) { return name##f(x, y); }                \
  __hw_weak double name(float x, double y) { return name((double)x, y); }         \
  __hw_weak double name(double x, float y) { return name(x, (double)y); }         \
  __hw_weak double name(int x, double y) { return name((double)x, y); }           \
  __hw_weak double name(double x, int y) { return name(x, (double)y); }           \
  __hw_weak float name(float x, int y) { return name##f(x, (float)y); }           \
  __hw_weak float name(int x, float y) { return name##f((float)x, y); }           \
  __hw_weak double name(int x, int y) { return name((double)x, (double)y); }
#define __hw_integral1(name)                                   \
  __hw_weak double name(int x) { return name((double)x); }     \
  __hw_weak double name(unsigned x) { return name((double)x); } \
  __hw_weak double name(long x) { return name((double)x); }    \
  __hw_weak double name(unsigned long x) { return name((double)x); }
__hw_libm1(sqrt) __hw_libm1(cbrt) __hw_libm1(exp) __hw_libm1(exp2) __hw_libm1(expm1)
__hw_libm1(log) __hw_libm1(log2) __hw_libm1(log10) __hw_libm1(log1p) __hw_libm1(sin)
__hw_libm1(cos) __hw_libm1(tan) __hw_libm1(asin) __hw_libm1(acos) __hw_libm1(atan)
__hw_libm1(sinh) __hw_libm1(cosh) __hw_libm1(tanh) __hw_libm1(asinh) __hw_libm1(acosh)
__hw_libm1(atanh) __hw_libm1(erf) __hw_libm1(erfc) __hw_libm1(tgamma) __hw_libm1(lgamma)
__hw_libm1(fabs) __hw_libm1(floor) __hw_libm1(ceil) __hw_libm1(trunc) __hw_libm1(round)
__hw_libm1(rint)
__hw_libm2(pow) __hw_libm2(atan2) __hw_libm2(fmod) __hw_libm2(remainder) __hw_libm2(hypot)
__hw_libm2(fmin) __hw_libm2(fmax) __hw_libm2(fdim) __hw_libm2(copysign)
#undef __hw_libm1
#undef __hw_libm2
#undef __hw_integral1
__hw_known float fmaf(float, float, float) noexcept;
__hw_known double fma(double, double, double) noexcept;
__hw_weak float fma(float x, float y, float z) { return fmaf(x, y, z); }
__hw_known float ldexpf(float, int) noexcept;
__hw_known double ldexp(double, int) noexcept;
__hw_weak float ldexp(float x, int n) { return ldexpf(x, n); }
__hw_both float nearbyintf(float x) { return rintf(x); }
__hw_both double nearbyint(double x) { return rint(x); }
__hw_both float scalbnf(float x, int n) { return ldexpf(x, n); }
__hw_both float scalblnf(float x, long n) { return ldexpf(x, (int)n); }
__hw_both double scalbln(double x, long n) { return ldexp(x, (int)n); }
__hw_both double scalbn(double x, int n) { return ldexp(x, n); }
__hw_both long lrintf(float x) { return (long)rintf(x); }
__hw_both long lrint(double x) { return (long)rint(x); }
__hw_both long lroundf(float x) { return (long)roundf(x); }
__hw_both long lround(double x) { return (long)round(x); }
__hw_both long long llrintf(float x) { return (long long)rintf(x); }
__hw_both long long llrint(double x) { return (long long)rint(x); }
__hw_both long long llroundf(float x) { return (long long)roundf(x); }
__hw_both long long llround(double x) { return (long long)round(x); }

// What libm has not, or headway does not compute: an unknown function of its operands, number `c`.
#define __hw_opaque1(name, number)                                                              \
  __hw_both float name##f(float x) { return __headway_math_f32(2, x, 0, number); }              \
  __hw_both double name(double x) { return __headway_math_f64(2, x, 0, number); }               \
  __hw_weak float name(float x) { return name##f(x); }
#define __hw_opaque2(name, number)                                                              \
  __hw_both float name##f(float x, float y) { return __headway_math_f32(2, x, y, number); }     \
  __hw_both double name(double x, double y) { return __headway_math_f64(2, x, y, number); }
__hw_opaque1(erfinv, 1) __hw_opaque1(erfcinv, 2) __hw_opaque1(erfcx, 3) __hw_opaque1(normcdf, 4)
__hw_opaque1(normcdfinv, 5) __hw_opaque1(j0, 7) __hw_opaque1(j1, 8)
__hw_opaque1(y0, 9) __hw_opaque1(y1, 10) __hw_opaque1(cyl_bessel_i0, 11)
__hw_opaque1(cyl_bessel_i1, 12)
__hw_opaque2(rhypot, 21)
#undef __hw_opaque1
#undef __hw_opaque2

// How a real is represented: a sign, an exponent and a fraction of `bits` bits.
template <class T> struct __hw_format;
template <> struct __hw_format<float> {
  typedef unsigned Word;
  static constexpr int bits = 23, bias = 127;
  static __hw_member int leading_zeros(Word x) { return __builtin_clzg(x, 32); }
};
template <> struct __hw_format<double> {
  typedef unsigned long long Word;
  static constexpr int bits = 52, bias = 1023;
  static __hw_member int leading_zeros(Word x) { return __builtin_clzg(x, 64); }
};
// The next representable number, away from zero or toward it.
template <class T> __hw_both T __hw_longer(T x) {
  return __hw_bits<T>((typename __hw_format<T>::Word)(__hw_bits<typename __hw_format<T>::Word>(x) + 1));
}
template <class T> __hw_both T __hw_shorter(T x) {
  return __hw_bits<T>((typename __hw_format<T>::Word)(__hw_bits<typename __hw_format<T>::Word>(x) - 1));
}
template <class T> __hw_both T __hw_nextafter(T x, T y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return y < 0 ? -__hw_longer((T)0) : __hw_longer((T)0);
  return (x < y) == (x > 0) ? __hw_longer(x) : __hw_shorter(x);
}
__hw_both float nextafterf(float x, float y) { return __hw_nextafter(x, y); }
__hw_both double nextafter(double x, double y) { return __hw_nextafter(x, y); }
__hw_weak float nextafter(float x, float y) { return nextafterf(x, y); }
// A fraction in [0.5, 1) and an exponent. That of what is not finite is any.
template <class T> __hw_both T __hw_frexp(T x, int* exponent) {
  typedef __hw_format<T> F;
  typedef typename F::Word Word;
  constexpr int all = 2 * F::bias + 1;
  const Word b = __hw_bits<Word>(x);
  const int e = (int)(b >> F::bits) & all;
  Word f = b & (((Word)1 << F::bits) - 1);
  if (e == all) {
    *exponent = (int)__headway_unknown_u32();
    return x;
  }
  if (e == 0 && f == 0) {
    *exponent = 0;
    return x;
  }
  int power = e - (F::bias - 1);
  if (e == 0) {  // subnormal
    const int by = F::leading_zeros(f) - (8 * (int)sizeof(T) - 1 - F::bits);
    f = f << by & (((Word)1 << F::bits) - 1);
    power = 1 - by - (F::bias - 1);
  }
  *exponent = power;
  const Word sign = b >> (8 * sizeof(T) - 1) << (8 * sizeof(T) - 1);
  return __hw_bits<T>((Word)(sign | (Word)(F::bias - 1) << F::bits | f));
}
template <class T> __hw_both int __hw_ilogb(T x) {
  if (x == 0 || x != x) return -2147483647 - 1;
  if (__builtin_isinf(x)) return 2147483647;
  int exponent;
  __hw_frexp(x, &exponent);
  return exponent - 1;
}
template <class T> __hw_both T __hw_logb(T x) {
  if (x != x) return x;
  if (x == 0) return (T)-__builtin_inf();
  if (__builtin_isinf(x)) return (T)__builtin_inf();
  return (T)__hw_ilogb(x);
}
__hw_both int ilogbf(float x) { return __hw_ilogb(x); }
__hw_both int ilogb(double x) { return __hw_ilogb(x); }
__hw_weak int ilogb(float x) { return __hw_ilogb(x); }
__hw_both float logbf(float x) { return __hw_logb(x); }
__hw_both double logb(double x) { return __hw_logb(x); }
__hw_weak float logb(float x) { return __hw_logb(x); }
__hw_both float jnf(int n, float x) { return __headway_math_f32(2, x, (float)n, 13); }
__hw_both double jn(int n, double x) { return __headway_math_f64(2, x, n, 13); }
__hw_both float ynf(int n, float x) { return __headway_math_f32(2, x, (float)n, 14); }
__hw_both double yn(int n, double x) { return __headway_math_f64(2, x, n, 14); }
__hw_both float rsqrtf(float x) { return __headway_math_f32(0, x, 0, 0); }
__hw_both double rsqrt(double x) { return __headway_math_f64(0, x, 0, 0); }
__hw_weak float rsqrt(float x) { return rsqrtf(x); }
__hw_both float exp10f(float x) { return __headway_math_f32(1, x, 0, 0); }
__hw_both double exp10(double x) { return __headway_math_f64(1, x, 0, 0); }
__hw_weak float exp10(float x) { return exp10f(x); }
__hw_both float rcbrtf(float x) { return __headway_math_f32(2, x, 0, 15); }
__hw_both double rcbrt(double x) { return __headway_math_f64(2, x, 0, 15); }
// Of multiples of a half they are exact.
#define __hw_pi(T, name, rest, copy_sign, call, number)                                  \
  __hw_both T sinpi##name(T x) {                                                         \
    const T r = rest(x, (T)2), size = r < 0 ? -r : r;                                    \
    if (size == 0 || size == 1) return copy_sign((T)0, x);                               \
    if (size == (T)0.5) return r < 0 ? (T)-1 : (T)1;                                     \
    return call(2, x, 0, number);                                                        \
  }                                                                                      \
  __hw_both T cospi##name(T x) {                                                         \
    const T r = rest(x, (T)2), size = r < 0 ? -r : r;                                    \
    if (size == (T)0.5) return (T)0;                                                     \
    if (size == 0 || size == 1) return size == 0 ? (T)1 : (T)-1;                         \
    return call(2, x, 0, number + 1);                                                    \
  }
__hw_pi(float, f, remainderf, copysignf, __headway_math_f32, 16)
__hw_pi(double, , remainder, copysign, __headway_math_f64, 16)
#undef __hw_pi
__hw_both float powif(float x, int n) { return powf(x, (float)n); }
__hw_both double powi(double x, int n) { return pow(x, (double)n); }
// Lengths, which a device rounds as it likes: functions of their operands, as hypot is.
#define __hw_norm(T, f, d)                                                              \
  __hw_both T norm3d##f(T a, T b, T c) { return hypot##f(hypot##f(a, b), c); }          \
  __hw_both T norm4d##f(T a, T b, T c, T d) { return hypot##f(norm3d##f(a, b, c), d); } \
  __hw_both T rnorm3d##f(T a, T b, T c) { return 1 / norm3d##f(a, b, c); }              \
  __hw_both T rnorm4d##f(T a, T b, T c, T d) { return 1 / norm4d##f(a, b, c, d); }      \
  __hw_weak T norm##f(int n, const T* x) {                                              \
    T size = 0;                                                                         \
    for (int i = 0; i < n; ++i) size = hypot##f(size, x[i]);                            \
    return size;                                                                        \
  }                                                                                     \
  __hw_weak T rnorm##f(int n, const T* x) { return 1 / norm##f(n, x); }
__hw_norm(float, f, d)
__hw_norm(double, , d)
#undef __hw_norm
__hw_both float fdividef(float x, float y) { return x / y; }
__hw_both double fdivide(double x, double y) { return x / y; }
__hw_both float nanf(const char*) { return __builtin_nanf(""); }
__hw_both double nan(const char*) { return __builtin_nan(""); }

// They write what they are given the address of.
__hw_both void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__hw_both void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
__hw_weak void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
__hw_both void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
__hw_both void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
// The fraction has the sign of x, also where it is 0.
__hw_both float modff(float x, float* whole) {
  *whole = truncf(x);
  return copysignf(__builtin_isinf(x) ? 0.0f : x - truncf(x), x);
}
__hw_both double modf(double x, double* whole) {
  *whole = trunc(x);
  return copysign(__builtin_isinf(x) ? 0.0 : x - trunc(x), x);
}
__hw_weak float modf(float x, float* whole) { return modff(x, whole); }
__hw_both float frexpf(float x, int* exponent) { return __hw_frexp(x, exponent); }
__hw_both double frexp(double x, int* exponent) { return __hw_frexp(x, exponent); }
__hw_weak float frexp(float x, int* exponent) { return frexpf(x, exponent); }
// Of the quotient three bits are known, and the sign; that it is computed exactly here ends far
// above where it is asked whether it is.
template <class T> __hw_both T __hw_remquo(T x, T y, T rest, unsigned any, int* quotient) {
  const T q = (x - rest) / y;
  const T size = q < 0 ? -q : q;
  if (!(size < 1048576)) {
    *quotient = (int)any;
    return rest;
  }
  const unsigned low = ((unsigned)(size + (T)0.5) & 7) | (any & 0x7ffffff8);
  const bool negative = (bool)((int)(x < 0) ^ (int)(y < 0));
  *quotient = negative ? -(int)low : (int)low;
  return rest;
}
__hw_both float remquof(float x, float y, int* quotient) {
  return __hw_remquo(x, y, remainderf(x, y),
                     __headway_opaque_u32(__hw_bits<unsigned>(x), __hw_bits<unsigned>(y)), quotient);
}
__hw_both double remquo(double x, double y, int* quotient) {
  return __hw_remquo(x, y, remainder(x, y),
                     (unsigned)__headway_opaque_u64(__hw_bits<unsigned long long>(x),
                                                    __hw_bits<unsigned long long>(y)),
                     quotient);
}

#define __hw_classify(T, smallest)                                          \
  __hw_weak bool isnan(T x) { return __builtin_isnan(x); }        \
  __hw_weak bool isinf(T x) { return __builtin_isinf(x); }        \
  __hw_weak bool isfinite(T x) { return __builtin_isfinite(x); }  \
  __hw_weak bool signbit(T x) { return __builtin_signbit(x); }    \
  __hw_weak bool isnormal(T x) {                                  \
    return (bool)((int)__builtin_isfinite(x) & (int)(fabs(x) >= smallest)); \
  }
__hw_classify(float, 1.17549435e-38F)
__hw_classify(double, 2.2250738585072014e-308)
#undef __hw_classify

#define __hw_least(A, B, R)                                          \
  __hw_weak R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }    \
  __hw_weak R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
__hw_least(int, int, int)
__hw_least(unsigned, unsigned, unsigned)
__hw_least(int, unsigned, unsigned)
__hw_least(unsigned, int, unsigned)
__hw_least(long, long, long)
__hw_least(long, int, long)
__hw_least(int, long, long)
__hw_least(unsigned long, unsigned, unsigned long)
__hw_least(unsigned, unsigned long, unsigned long)
__hw_least(unsigned long, int, unsigned long)
__hw_least(int, unsigned long, unsigned long)
__hw_least(long long, int, long long)
__hw_least(int, long long, long long)
__hw_least(unsigned long long, unsigned, unsigned long long)
__hw_least(unsigned, unsigned long long, unsigned long long)
__hw_least(unsigned long, unsigned long, unsigned long)
__hw_least(long, unsigned long, unsigned long)
__hw_least(unsigned long, long, unsigned long)
__hw_least(long long, long long, long long)
__hw_least(unsigned long long, unsigned long long, unsigned long long)
__hw_least(long long, unsigned long long, unsigned long long)
__hw_least(unsigned long long, long long, unsigned long long)
#undef __hw_least
#define __hw_least(A, B, suffix)                           \
  __hw_weak auto min(A a, B b) { return fmin##suffix(a, b); } \
  __hw_weak auto max(A a, B b) { return fmax##suffix(a, b); }
__hw_least(float, float, f)
__hw_least(double, double, )
__hw_least(float, double, )
__hw_least(double, float, )
#undef __hw_least
__hw_both unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__hw_both unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__hw_both long long llmin(long long a, long long b) { return a < b ? a : b; }
__hw_both long long llmax(long long a, long long b) { return a > b ? a : b; }
__hw_both unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
__hw_both unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
__hw_weak int abs(int x) { return x < 0 ? -x : x; }
__hw_weak long abs(long x) { return x < 0 ? -x : x; }
__hw_weak long labs(long x) { return x < 0 ? -x : x; }
__hw_weak long long llabs(long long x) { return x < 0 ? -x : x; }
__hw_weak long long abs(long long x) { return x < 0 ? -x : x; }
__hw_weak float abs(float x) { return fabsf(x); }
__hw_weak double abs(double x) { return fabs(x); }

// Fast functions are near the exact ones, not equal to them: unknown functions of their operands.
__hw_both float __sinf(float x) { return __headway_math_f32(2, x, 0, 40); }
__hw_both float __cosf(float x) { return __headway_math_f32(2, x, 0, 41); }
__hw_both float __tanf(float x) { return __headway_math_f32(2, x, 0, 42); }
__hw_both float __tanhf(float x) { return __headway_math_f32(2, x, 0, 43); }
__hw_both void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
__hw_both float __expf(float x) { return __headway_math_f32(2, x, 0, 44); }
__hw_both float __exp10f(float x) { return __headway_math_f32(2, x, 0, 45); }
__hw_both float __logf(float x) { return __headway_math_f32(2, x, 0, 46); }
__hw_both float __log2f(float x) { return __headway_math_f32(2, x, 0, 47); }
__hw_both float __log10f(float x) { return __headway_math_f32(2, x, 0, 48); }
__hw_both float __powf(float x, float y) { return __headway_math_f32(2, x, y, 49); }
__hw_both float __fdividef(float x, float y) { return __headway_math_f32(2, x, y, 50); }
// Of -0 and of NaN it is 0.
__hw_both float __saturatef(float x) { return x > 0.0f ? fminf(x, 1.0f) : 0.0f; }
__hw_both float saturate(float x) { return __saturatef(x); }
// Rounded to the nearest, and in a direction.
#define __hw_nearest(T, d, suffix, root, fused)                           \
  __hw_both T __##d##add_rn(T x, T y) { return x + y; }                   \
  __hw_both T __##d##sub_rn(T x, T y) { return x - y; }                   \
  __hw_both T __##d##mul_rn(T x, T y) { return x * y; }                   \
  __hw_both T __##d##div_rn(T x, T y) { return x / y; }                   \
  __hw_both T __##d##rcp_rn(T x) { return 1 / x; }                        \
  __hw_both T __##d##sqrt_rn(T x) { return root(x); }                     \
  __hw_both T __fma##suffix##_rn(T x, T y, T z) { return fused(x, y, z); }
__hw_nearest(float, f, f, sqrtf, fmaf)
__hw_nearest(double, d, , sqrt, fma)
#undef __hw_nearest
__hw_both float __fmaf_ieee_rn(float x, float y, float z) { return fmaf(x, y, z); }
#define __hw_directed(T, d, suffix, call, mode)                                                     \
  __hw_both T __##d##add_##mode(T x, T y) { return call(__hw_add_##mode, x, y, 0); }                \
  __hw_both T __##d##sub_##mode(T x, T y) { return call(__hw_sub_##mode, x, y, 0); }                \
  __hw_both T __##d##mul_##mode(T x, T y) { return call(__hw_mul_##mode, x, y, 0); }                \
  __hw_both T __##d##div_##mode(T x, T y) { return call(__hw_div_##mode, x, y, 0); }                \
  __hw_both T __##d##rcp_##mode(T x) { return call(__hw_div_##mode, 1, x, 0); }                     \
  __hw_both T __##d##sqrt_##mode(T x) { return call(__hw_sqrt_##mode, x, 0, 0); }                   \
  __hw_both T __fma##suffix##_##mode(T x, T y, T z) { return call(__hw_fma_##mode, x, y, z); }
#define __hw_in_direction(mode)                                                                     \
  __hw_directed(float, f, f, __headway_math_f32, mode)                                              \
  __hw_directed(double, d, , __headway_math_f64, mode)                                              \
  __hw_both float __fmaf_ieee_##mode(float x, float y, float z) {                                   \
    return __headway_math_f32(__hw_fma_##mode, x, y, z);                                            \
  }
__hw_in_direction(rz)
__hw_in_direction(ru)
__hw_in_direction(rd)
#undef __hw_in_direction
#undef __hw_directed
// Conversions. A direction is -1 down, 0 toward zero, 1 up. An integer is brought to one that has
// `digits` binary digits at most, which is exact as a double.
template <int direction, int digits, class T> __hw_both double __hw_of_digits(T x) {
  const bool negative = x < 0;
  const unsigned long long size =
      negative ? 0 - (unsigned long long)x : (unsigned long long)x;
  const int over = 64 - __builtin_clzg(size, 64) - digits;
  const int dropped = over > 0 ? over : 0;
  const unsigned long long kept = size >> dropped << dropped;
  const bool away = direction == (negative ? -1 : 1) && kept != size;
  const double result = (double)kept + (away ? (double)(1ull << dropped) : 0.0);
  return negative ? -result : result;
}
template <int direction> __hw_both float __hw_to_float(double x) {
  const float near = (float)x;
  const bool longer = x < 0 ? near < x : near > x, shorter = x < 0 ? near > x : near < x;
  const bool away = direction == (x < 0 ? -1 : 1);
  if (away && shorter) return __hw_longer(near);
  return !away && longer ? __hw_shorter(near) : near;
}
#define __hw_conversions(mode, direction)                                                           \
  __hw_both float __int2float_##mode(int x) { return (float)__hw_of_digits<direction, 24>(x); }     \
  __hw_both float __uint2float_##mode(unsigned x) {                                                 \
    return (float)__hw_of_digits<direction, 24>(x);                                                 \
  }                                                                                                 \
  __hw_both float __ll2float_##mode(long long x) {                                                  \
    return (float)__hw_of_digits<direction, 24>(x);                                                 \
  }                                                                                                 \
  __hw_both float __ull2float_##mode(unsigned long long x) {                                        \
    return (float)__hw_of_digits<direction, 24>(x);                                                 \
  }                                                                                                 \
  __hw_both double __ll2double_##mode(long long x) { return __hw_of_digits<direction, 53>(x); }     \
  __hw_both double __ull2double_##mode(unsigned long long x) {                                      \
    return __hw_of_digits<direction, 53>(x);                                                        \
  }                                                                                                 \
  __hw_both float __double2float_##mode(double x) { return __hw_to_float<direction>(x); }
__hw_conversions(rz, 0)
__hw_conversions(ru, 1)
__hw_conversions(rd, -1)
#undef __hw_conversions
__hw_both float __int2float_rn(int x) { return (float)x; }
__hw_both float __uint2float_rn(unsigned x) { return (float)x; }
__hw_both float __ll2float_rn(long long x) { return (float)x; }
__hw_both float __ull2float_rn(unsigned long long x) { return (float)x; }
__hw_both double __ll2double_rn(long long x) { return (double)x; }
__hw_both double __ull2double_rn(unsigned long long x) { return (double)x; }
__hw_both float __double2float_rn(double x) { return (float)x; }
__hw_both float __frsqrt_rn(float x) { return rsqrtf(x); }
__hw_both double __int2double_rn(int x) { return x; }
__hw_both double __uint2double_rn(unsigned x) { return x; }
#define __hw_to_integer(mode, round)                                                            \
  __hw_both int __float2int_##mode(float x) { return (int)round##f(x); }                        \
  __hw_both unsigned __float2uint_##mode(float x) { return (unsigned)round##f(x); }             \
  __hw_both long long __float2ll_##mode(float x) { return (long long)round##f(x); }             \
  __hw_both unsigned long long __float2ull_##mode(float x) {                                    \
    return (unsigned long long)round##f(x);                                                     \
  }                                                                                             \
  __hw_both int __double2int_##mode(double x) { return (int)round(x); }                         \
  __hw_both unsigned __double2uint_##mode(double x) { return (unsigned)round(x); }              \
  __hw_both long long __double2ll_##mode(double x) { return (long long)round(x); }              \
  __hw_both unsigned long long __double2ull_##mode(double x) { return (unsigned long long)round(x); }
__hw_to_integer(rn, rint)
__hw_to_integer(rz, trunc)
__hw_to_integer(ru, ceil)
__hw_to_integer(rd, floor)
#undef __hw_to_integer
__hw_both int __float_as_int(float x) { return __hw_bits<int>(x); }
__hw_both unsigned __float_as_uint(float x) { return __hw_bits<unsigned>(x); }
__hw_both float __int_as_float(int x) { return __hw_bits<float>(x); }
__hw_both float __uint_as_float(unsigned x) { return __hw_bits<float>(x); }
__hw_both long long __double_as_longlong(double x) { return __hw_bits<long long>(x); }
__hw_both double __longlong_as_double(long long x) { return __hw_bits<double>(x); }
__hw_both int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__hw_both int __double2loint(double x) { return (int)__double_as_longlong(x); }
__hw_both double __hiloint2double(int high, int low) {
  return __longlong_as_double(((long long)high << 32) | (unsigned)low);
}

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_MIN_DENORM_F 0x1p-149f
#define CUDART_MAX_NORMAL_F 0x1.fffffep127f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_LN2_F 0.693147181f
#define CUDART_L2E_F 1.442695041f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PIO4_F 0.785398163f
#define CUDART_2_OVER_PI_F 0.636619772f
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define HUGE_VALF __builtin_inff()
