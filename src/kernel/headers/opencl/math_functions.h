// Functions of reals. What libm has is called by its name, the rest is an unknown function of its
// operands; its number keeps it apart from others.
#define __hw_built_in(T)                                                                         \
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
  __hw_of T sinpi(T x) { return sin((T)3.14159265358979323846f * x); }                           \
  __hw_of T cospi(T x) { return cos((T)3.14159265358979323846f * x); }                           \
  __hw_of T tanpi(T x) { return tan((T)3.14159265358979323846f * x); }                           \
  __hw_of T asinpi(T x) { return asin(x) / (T)3.14159265358979323846f; }                         \
  __hw_of T acospi(T x) { return acos(x) / (T)3.14159265358979323846f; }                         \
  __hw_of T atanpi(T x) { return atan(x) / (T)3.14159265358979323846f; }                         \
  __hw_of T fract(T x, __hw_any T* whole) {                                                      \
    const T down = floor(x);                                                                     \
    *whole = down;                                                                               \
    return x - down;                                                                             \
  }                                                                                              \
  __hw_of T modf(T x, __hw_any T* whole) {                                                       \
    const T toward_zero = trunc(x);                                                              \
    *whole = toward_zero;                                                                        \
    return x - toward_zero;                                                                      \
  }                                                                                              \
  __hw_of T sincos(T x, __hw_any T* c) {                                                         \
    *c = cos(x);                                                                                 \
    return sin(x);                                                                               \
  }
#define __hw_built_in_vector(T, V) __hw_built_in(V)
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
#define __hw_math(T, I, s, call, W, word)                                                        \
  __hw_built_in(T) __hw_sizes(__hw_built_in_vector, T)                                           \
  __hw_libm1(asinh, T, asinh##s) __hw_libm1(acosh, T, acosh##s) __hw_libm1(atanh, T, atanh##s)   \
  __hw_libm1(cbrt, T, cbrt##s) __hw_libm1(erf, T, erf##s) __hw_libm1(erfc, T, erfc##s)           \
  __hw_libm1(expm1, T, expm1##s) __hw_libm1(log1p, T, log1p##s)                                  \
  __hw_libm1(tgamma, T, tgamma##s) __hw_libm1(lgamma, T, lgamma##s)                              \
  __hw_libm2(atan2, T, atan2##s) __hw_libm2(fmod, T, fmod##s)                                    \
  __hw_libm2(remainder, T, remainder##s) __hw_libm2(hypot, T, hypot##s)                          \
  __hw_libm2(fdim, T, fdim##s)                                                                   \
  __hw_opaque1(logb, T, call, 6) __hw_opaque2(nextafter, T, call, 20)                            \
  __hw_of T exp10(T x) { return call(1, x, 0, 0); }                                              \
  __hw_parts1(exp10, T, T)                                                                       \
  __hw_of T atan2pi(T y, T x) { return atan2(y, x) / (T)3.14159265358979323846f; }               \
  __hw_parts2(atan2pi, T, T, T)                                                                  \
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
  __hw_of int ilogb(T x) { return (int)word(__builtin_astype(x, W), 30); }                       \
  __hw_parts1(ilogb, T, int)                                                                     \
  __hw_of T frexp(T x, __hw_any int* exponent) {                                                 \
    *exponent = (int)word(__builtin_astype(x, W), 32);                                           \
    return call(2, x, 0, 33);                                                                    \
  }                                                                                              \
  __hw_parts_to(frexp, T, int)                                                                   \
  __hw_of T lgamma_r(T x, __hw_any int* sign) {                                                  \
    *sign = (int)word(__builtin_astype(x, W), 34);                                               \
    return lgamma(x);                                                                            \
  }                                                                                              \
  __hw_parts_to(lgamma_r, T, int)                                                                \
  __hw_of T remquo(T x, T y, __hw_any int* quotient) {                                           \
    *quotient = (int)word(__builtin_astype(x, W), __builtin_astype(y, W));                       \
    return remainder(x, y);                                                                      \
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
__hw_built_in(half) __hw_sizes(__hw_built_in_vector, half)
__hw_half1(asinh) __hw_half1(acosh) __hw_half1(atanh) __hw_half1(cbrt) __hw_half1(erf)
__hw_half1(erfc) __hw_half1(exp10) __hw_half1(expm1) __hw_half1(lgamma) __hw_half1(log1p)
__hw_half1(logb) __hw_half1(tgamma) __hw_half2(atan2) __hw_half2(atan2pi) __hw_half2(fdim)
__hw_half2(fmod) __hw_half2(hypot) __hw_half2(maxmag) __hw_half2(minmag) __hw_half2(remainder)
__hw_half_int(ldexp) __hw_half_int(pown) __hw_half_int(rootn) __hw_half_to(frexp)
__hw_half_to(lgamma_r)
__hw_of half nextafter(half x, half y) { return (half)__headway_math_f32(2, x, y, 23); }
__hw_parts2(nextafter, half, half, half)
__hw_of int ilogb(half x) { return ilogb((float)x); }
__hw_parts1(ilogb, half, int)
__hw_of half remquo(half x, half y, __hw_any int* quotient) {
  return (half)remquo((float)x, (float)y, quotient);
}
__hw_all_quotients(half) __hw_all_nans(half, ushort)
__hw_parts1(rsqrt, half, half)
#endif

#define __hw_fast1(f)                                      \
  __hw_of float half_##f(float x) { return f(x); }         \
  __hw_of float native_##f(float x) { return f(x); }       \
  __hw_parts1(half_##f, float, float) __hw_parts1(native_##f, float, float)
__hw_fast1(sin) __hw_fast1(cos) __hw_fast1(tan) __hw_fast1(exp) __hw_fast1(exp2) __hw_fast1(exp10)
__hw_fast1(log) __hw_fast1(log2) __hw_fast1(log10) __hw_fast1(sqrt) __hw_fast1(rsqrt)
__hw_of float half_recip(float x) { return 1.0f / x; }
__hw_of float native_recip(float x) { return 1.0f / x; }
__hw_of float half_divide(float x, float y) { return x / y; }
__hw_of float native_divide(float x, float y) { return x / y; }
__hw_of float half_powr(float x, float y) { return pow(x, y); }
__hw_of float native_powr(float x, float y) { return pow(x, y); }
__hw_parts1(half_recip, float, float) __hw_parts1(native_recip, float, float)
__hw_parts2(half_divide, float, float, float) __hw_parts2(native_divide, float, float, float)
__hw_parts2(half_powr, float, float, float) __hw_parts2(native_powr, float, float, float)
