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
  __hw_of T remquo(T x, T y, __hw_any int* quotient) {                                           \
    *quotient = (int)word(__builtin_astype(x, W), __builtin_astype(y, W));                       \
    return remainder(x, y);                                                                      \
  }                                                                                              \
  __hw_of T nan(I code) { return (T)__builtin_nanf(""); }
__hw_math(float, uint, f, __headway_math_f32, uint, __headway_opaque_u32)
#ifdef __HEADWAY_DOUBLE
__hw_math(double, ulong, , __headway_math_f64, ulong, __headway_opaque_u64)
#endif
#ifdef __HEADWAY_HALF
__hw_built_in(half) __hw_sizes(__hw_built_in_vector, half)
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
