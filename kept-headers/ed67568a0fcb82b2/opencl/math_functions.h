// Functions of reals. What libm has is called by its name, the rest is an unknown function of its
// operands; its number keeps it apart from others.
#define __hw_built_in(T, below_one)                                                                      \
  __hw_of T sin(T x) { return __builtin_elementwise_sin(x); }                                    \
  __hw_of T cos(T x) { return __builtin_elementwise_cos(x); }                                    \
  __hw_of T tan(T x) { return __builtin_elementwise_tan(x); }                                    \
  __hw_of T asin(T x) { return __builtin_elementwise_asin(x); }                                  \
  __hw_of T acos(T x) { return __builtin_elementwise_acos(x); }                                  \
  __hw_of T atan(T x) { return __builtin_elementwise_atan(x); }                                  \
  __hw_of T sinh(T x) { return __builtin_elementwise_sinh(x); }                                  \
  __hw_of T cosh(T x) { return __builtin_elementwise_cosh(x); }                                  \
  __hw_of T tanh(T x) { return __builtin_elementwise_tanh(x); }                                  \
  __hw_of T exp(T x) { return __builtin_elementwise_exp(x); }                                    \
  __hw_of T exp2(T x) { return __builtin_elementwise_exp2(x); }                                  \
  __hw_of T log(T x) { return __builtin_elementwise_log(x); }                                    \
  __hw_of T log2(T x) { return __builtin_elementwise_log2(x); }                                  \
  __hw_of T log10(T x) { return __builtin_elementwise_log10(x); }                                \
  __hw_of T pow(T x, T y) { return __builtin_elementwise_pow(x, y); }                            \
  __hw_of T powr(T x, T y) { return __builtin_elementwise_pow(x, y); }                           \
  __hw_of T fract(T x, __hw_any T* whole) {                                                      \
    const T down = floor(x);                                                                     \
    *whole = down;                                                                               \
    const T rest = fmin(x - down, (T)below_one);                                                 \
    return x != x ? x : fabs(x) == (T)INFINITY ? copysign((T)0, x) : rest;                       \
  }                                                                                              \
  __hw_of T modf(T x, __hw_any T* whole) {                                                       \
    const T toward_zero = trunc(x);                                                              \
    *whole = toward_zero;                                                                        \
    return copysign(fabs(x) == (T)INFINITY ? (T)0 : x - toward_zero, x);                         \
  }                                                                                              \
  __hw_of T sincos(T x, __hw_any T* c) {                                                         \
    *c = cos(x);                                                                                 \
    return sin(x);                                                                               \
  }
#define __hw_built_in_vector(T, V) __hw_built_in(V, __hw_below_one_##T)
#define __hw_below_one_float 0x1.fffffep-1f
#define __hw_below_one_double 0x1.fffffffffffffp-1
#define __hw_below_one_half 0x1.ffcp-1h
#define __hw_libm1(f, T, name)     \
  T __hw_##name(T) __asm__(#name); \
  __hw_of T f(T x) { return __hw_##name(x); } \
  __hw_parts1(f, T, T)
#define __hw_libm2(f, T, name)        \
  T __hw_##name(T, T) __asm__(#name); \
  __hw_of T f(T x, T y) { return __hw_##name(x, y); } \
  __hw_parts2(f, T, T, T)
#define __hw_opaque1(f, T, call, number) \
  __hw_of T f(T x) { return call(2, x, 0, number); } \
  __hw_parts1(f, T, T)
#define __hw_opaque2(f, T, call, number) \
  __hw_of T f(T x, T y) { return call(2, x, y, number); } \
  __hw_parts2(f, T, T, T)
// By how a real is represented: a fraction of `digits` bits behind an exponent. The exponent that
// frexp gives of what is not finite is any.
#define __hw_format_float(of) __hw_format_float_##of
#define __hw_format_double(of) __hw_format_double_##of
#define __hw_format_float_digits 23
#define __hw_format_float_bias 127
#define __hw_format_double_digits 52
#define __hw_format_double_bias 1023
#define __hw_represented(T, W)                                                                   \
  __hw_of T frexp(T x, __hw_any int* exponent) {                                                 \
    const int digits = __hw_format_##T(digits), bias = __hw_format_##T(bias);                    \
    const W b = __builtin_astype(x, W), fraction = ((W)1 << digits) - 1;                         \
    const int e = (int)(b >> digits) & (2 * bias + 1);                                           \
    W f = b & fraction;                                                                          \
    if (e == 2 * bias + 1 || (e == 0 && f == 0)) {                                               \
      *exponent = e == 0 ? 0 : (int)__headway_unknown_u32();                                     \
      return x;                                                                                  \
    }                                                                                            \
    int power = e - (bias - 1);                                                                  \
    if (e == 0) {                                                                                \
      const int by = __builtin_clzg(f, 8 * (int)sizeof(T)) - (8 * (int)sizeof(T) - 1 - digits);                            \
      f = f << by & fraction;                                                                    \
      power = 1 - by - (bias - 1);                                                               \
    }                                                                                            \
    *exponent = power;                                                                           \
    const W sign = b >> (8 * sizeof(T) - 1) << (8 * sizeof(T) - 1);                              \
    const W result = sign | (W)(bias - 1) << digits | f;                                         \
    return __builtin_astype(result, T);                                                          \
  }                                                                                              \
  __hw_parts_to(frexp, T, int)                                                                   \
  __hw_of int ilogb(T x) {                                                                       \
    if (x == 0) return FP_ILOGB0;                                                                \
    if (x != x) return FP_ILOGBNAN;                                                              \
    if (fabs(x) == (T)INFINITY) return INT_MAX;                                                  \
    int exponent;                                                                                \
    frexp(x, &exponent);                                                                         \
    return exponent - 1;                                                                         \
  }                                                                                              \
  __hw_parts1(ilogb, T, int)                                                                     \
  __hw_of T logb(T x) {                                                                          \
    return x != x                    ? x                                                         \
           : x == 0                  ? (T)-INFINITY                                              \
           : fabs(x) == (T)INFINITY  ? (T)INFINITY                                               \
                                     : (T)ilogb(x);                                              \
  }                                                                                              \
  __hw_parts1(logb, T, T)                                                                        \
  __hw_of T nextafter(T x, T y) {                                                                \
    if (x != x || y != y) return x + y;                                                          \
    if (x == y) return y;                                                                        \
    const W least = 1, b = __builtin_astype(x, W);                                               \
    if (x == 0) return y < 0 ? -__builtin_astype(least, T) : __builtin_astype(least, T);         \
    const W next = (x < y) == (x > 0) ? b + 1 : b - 1;                                           \
    return __builtin_astype(next, T);                                                            \
  }                                                                                              \
  __hw_parts2(nextafter, T, T, T)
// Of multiples of a half, sines and cosines are exact.
#define __hw_of_pi(T, call)                                                                      \
  __hw_of T sinpi(T x) {                                                                         \
    const T r = remainder(x, (T)2), size = fabs(r);                                              \
    return size == 0 || size == 1 ? copysign((T)0, x)                                            \
           : size == (T)0.5f      ? copysign((T)1, r)                                            \
                                  : call(2, x, 0, 25);                                           \
  }                                                                                              \
  __hw_parts1(sinpi, T, T)                                                                       \
  __hw_of T cospi(T x) {                                                                         \
    const T size = fabs(remainder(x, (T)2));                                                     \
    return size == (T)0.5f ? (T)0 : size == 0 ? (T)1 : size == 1 ? (T)-1 : call(2, x, 0, 26);    \
  }                                                                                              \
  __hw_parts1(cospi, T, T)                                                                       \
  __hw_opaque1(tanpi, T, call, 27) __hw_opaque1(asinpi, T, call, 28)                             \
  __hw_opaque1(acospi, T, call, 29) __hw_opaque1(atanpi, T, call, 35)
#define __hw_math(T, I, s, call, W, word)                                                        \
  __hw_built_in_vector(T, T) __hw_sizes(__hw_built_in_vector, T)                                 \
  __hw_libm1(asinh, T, asinh##s) __hw_libm1(acosh, T, acosh##s) __hw_libm1(atanh, T, atanh##s)   \
  __hw_libm1(cbrt, T, cbrt##s) __hw_libm1(erf, T, erf##s) __hw_libm1(erfc, T, erfc##s)           \
  __hw_libm1(expm1, T, expm1##s) __hw_libm1(log1p, T, log1p##s)                                  \
  __hw_libm1(tgamma, T, tgamma##s) __hw_libm1(lgamma, T, lgamma##s)                              \
  __hw_libm2(atan2, T, atan2##s) __hw_libm2(fmod, T, fmod##s)                                    \
  __hw_libm2(remainder, T, remainder##s) __hw_libm2(hypot, T, hypot##s)                          \
  __hw_libm2(fdim, T, fdim##s)                                                                   \
  __hw_represented(T, W) __hw_of_pi(T, call)                                                     \
  __hw_of T exp10(T x) { return call(1, x, 0, 0); }                                              \
  __hw_parts1(exp10, T, T)                                                                       \
  __hw_opaque2(atan2pi, T, call, 24)                                                             \
  __hw_of T maxmag(T x, T y) { return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y); } \
  __hw_of T minmag(T x, T y) { return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y); } \
  __hw_parts2(maxmag, T, T, T) __hw_parts2(minmag, T, T, T)                                      \
  __hw_of T pown(T x, int n) { return pow(x, (T)n); }                                            \
  __hw_parts2(pown, T, int, T)                                                                   \
  __hw_of T rootn(T x, int n) { return call(2, x, (T)n, 22); }                                   \
  __hw_parts2(rootn, T, int, T)                                                                  \
  T __hw_ldexp##s(T, int) __asm__("ldexp" #s);                                                   \
  __hw_of T ldexp(T x, int n) { return __hw_ldexp##s(x, n); }                                    \
  __hw_parts2(ldexp, T, int, T)                                                                  \
  /* Below 0 it has the other sign between every other two integers; at them, either. */         \
  __hw_of T lgamma_r(T x, __hw_any int* sign) {                                                  \
    const T down = floor(x), half_down = down * (T)0.5f;                                         \
    *sign = x > 0                                ? 1                                             \
            : x < 0 && x != down                 ? (half_down == floor(half_down) ? 1 : -1)      \
                                                 : (int)word(__builtin_astype(x, W), 34);        \
    return lgamma(x);                                                                            \
  }                                                                                              \
  __hw_parts_to(lgamma_r, T, int)                                                                \
  __hw_of T remquo(T x, T y, __hw_any int* quotient) {                                           \
    /* Seven bits of the quotient, with its sign; of one that is not exact they are any. */      \
    const T rest = remainder(x, y), q = (x - rest) / y;                                          \
    const int bits = (int)(fabs(q) + (T)0.5f) & 127;                                             \
    *quotient = !(fabs(q) < (T)1048576) ? (int)word(__builtin_astype(x, W), __builtin_astype(y, W)) \
                : (x < 0) != (y < 0)    ? -bits                                                  \
                                        : bits;                                                  \
    return rest;                                                                                 \
  }                                                                                              \
  __hw_all_quotients(T) __hw_all_nans(T, I)
#define __hw_nans(T, I, n) __hw_of T##n nan(I##n code) { return (T##n)__builtin_nanf(""); }
#define __hw_all_nans(T, I)                                                                      \
  __hw_nans(T, I, ) __hw_nans(T, I, 2) __hw_nans(T, I, 3) __hw_nans(T, I, 4) __hw_nans(T, I, 8)  \
  __hw_nans(T, I, 16)
#define __hw_quotients(V, I, half_I)                                                             \
  __hw_of V remquo(V x, V y, __hw_any I* quotient) {                                             \
    half_I a, b;                                                                                 \
    const V r = (V)(remquo(x.lo, y.lo, &a), remquo(x.hi, y.hi, &b));                             \
    *quotient = (I)(a, b);                                                                       \
    return r;                                                                                    \
  }
#define __hw_all_quotients(T)                                                                    \
  __hw_quotients(T##2, int2, int) __hw_quotients(T##4, int4, int2)                               \
  __hw_quotients(T##8, int8, int4) __hw_quotients(T##16, int16, int8)                            \
  __hw_of T##3 remquo(T##3 x, T##3 y, __hw_any int3* quotient) {                                 \
    int4 all;                                                                                    \
    const T##4 r = remquo((T##4)(x, 0), (T##4)(y, 1), &all);                                     \
    *quotient = all.xyz;                                                                         \
    return r.xyz;                                                                                \
  }
__hw_math(float, uint, f, __headway_math_f32, uint, __headway_opaque_u32)
#ifdef __HEADWAY_DOUBLE
__hw_math(double, ulong, , __headway_math_f64, ulong, __headway_opaque_u64)
#endif
#ifdef __HEADWAY_HALF
// By way of floats, which have all halves.
#define __hw_half1(f)                                  \
  __hw_of half f(half x) { return (half)f((float)x); } \
  __hw_parts1(f, half, half)
#define __hw_half2(f)                                                    \
  __hw_of half f(half x, half y) { return (half)f((float)x, (float)y); } \
  __hw_parts2(f, half, half, half)
#define __hw_half_int(f)                                          \
  __hw_of half f(half x, int n) { return (half)f((float)x, n); } \
  __hw_parts2(f, half, int, half)
#define __hw_half_to(f)                                                             \
  __hw_of half f(half x, __hw_any int* to) { return (half)f((float)x, to); }        \
  __hw_parts_to(f, half, int)
__hw_built_in_vector(half, half) __hw_sizes(__hw_built_in_vector, half)
__hw_half1(asinh) __hw_half1(acosh) __hw_half1(atanh) __hw_half1(cbrt) __hw_half1(erf)
__hw_half1(erfc) __hw_half1(exp10) __hw_half1(expm1) __hw_half1(lgamma) __hw_half1(log1p)
__hw_half1(logb) __hw_half1(tgamma) __hw_half1(sinpi) __hw_half1(cospi) __hw_half1(tanpi)
__hw_half1(asinpi) __hw_half1(acospi) __hw_half1(atanpi) __hw_half2(atan2) __hw_half2(atan2pi) __hw_half2(fdim)
__hw_half2(fmod) __hw_half2(hypot) __hw_half2(maxmag) __hw_half2(minmag) __hw_half2(remainder)
__hw_half_int(ldexp) __hw_half_int(pown) __hw_half_int(rootn) __hw_half_to(frexp)
__hw_half_to(lgamma_r)
__hw_of half nextafter(half x, half y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  const ushort b = __builtin_astype(x, ushort);
  const ushort next = x == 0 ? (y < 0 ? 0x8001 : 1) : (x < y) == (x > 0) ? b + 1 : b - 1;
  return __builtin_astype(next, half);
}
__hw_parts2(nextafter, half, half, half)
__hw_of int ilogb(half x) { return ilogb((float)x); }
__hw_parts1(ilogb, half, int)
__hw_of half remquo(half x, half y, __hw_any int* quotient) {
  return (half)remquo((float)x, (float)y, quotient);
}
__hw_all_quotients(half) __hw_all_nans(half, ushort)
__hw_parts1(rsqrt, half, half)
#endif

// Fast functions are near the exact ones, not equal to them: unknown functions of their operands.
#define __hw_fast1(f, number)                                                                   \
  __hw_of float half_##f(float x) { return __headway_math_f32(2, x, 0, number); }               \
  __hw_of float native_##f(float x) { return __headway_math_f32(2, x, 0, number + 1); }         \
  __hw_parts1(half_##f, float, float) __hw_parts1(native_##f, float, float)
#define __hw_fast2(f, number)                                                                   \
  __hw_of float half_##f(float x, float y) { return __headway_math_f32(2, x, y, number); }      \
  __hw_of float native_##f(float x, float y) { return __headway_math_f32(2, x, y, number + 1); } \
  __hw_parts2(half_##f, float, float, float) __hw_parts2(native_##f, float, float, float)
__hw_fast1(sin, 40) __hw_fast1(cos, 42) __hw_fast1(tan, 44) __hw_fast1(exp, 46)
__hw_fast1(exp2, 48) __hw_fast1(exp10, 50) __hw_fast1(log, 52) __hw_fast1(log2, 54)
__hw_fast1(log10, 56) __hw_fast1(sqrt, 58) __hw_fast1(rsqrt, 60) __hw_fast1(recip, 62)
__hw_fast2(divide, 64) __hw_fast2(powr, 66)
