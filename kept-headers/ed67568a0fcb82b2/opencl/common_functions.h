// max, min, clamp and the other functions that every kernel may use, of scalars and vectors.
#define __hw_sizes(M, T) M(T, T##2) M(T, T##3) M(T, T##4) M(T, T##8) M(T, T##16)

#define __hw_scalar(T)                                                                           \
  __hw_of T max(T x, T y) { return __builtin_elementwise_max(x, y); }                            \
  __hw_of T min(T x, T y) { return __builtin_elementwise_min(x, y); }                            \
  __hw_of T clamp(T x, T low, T high) { return min(max(x, low), high); }
#define __hw_vector(T, V)                                                                        \
  __hw_scalar(V)                                                                                 \
  __hw_of V max(V x, T y) { return __builtin_elementwise_max(x, (V)y); }                         \
  __hw_of V min(V x, T y) { return __builtin_elementwise_min(x, (V)y); }                         \
  __hw_of V clamp(V x, T low, T high) { return min(max(x, (V)low), (V)high); }
#define __hw_all_sizes(T) __hw_scalar(T) __hw_sizes(__hw_vector, T)
__hw_all_sizes(char) __hw_all_sizes(uchar) __hw_all_sizes(short) __hw_all_sizes(ushort)
__hw_all_sizes(int) __hw_all_sizes(uint) __hw_all_sizes(long) __hw_all_sizes(ulong)

#define __hw_real_scalar(T)                                                                      \
  __hw_scalar(T)                                                                                 \
  __hw_of T fmax(T x, T y) { return __builtin_elementwise_max(x, y); }                           \
  __hw_of T fmin(T x, T y) { return __builtin_elementwise_min(x, y); }                           \
  __hw_of T fabs(T x) { return __builtin_elementwise_abs(x); }                                   \
  __hw_of T floor(T x) { return __builtin_elementwise_floor(x); }                                \
  __hw_of T ceil(T x) { return __builtin_elementwise_ceil(x); }                                  \
  __hw_of T trunc(T x) { return __builtin_elementwise_trunc(x); }                                \
  __hw_of T rint(T x) { return __builtin_elementwise_rint(x); }                                  \
  __hw_of T round(T x) { return __builtin_elementwise_round(x); }                                \
  __hw_of T sqrt(T x) { return __builtin_elementwise_sqrt(x); }                                  \
  __hw_of T fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }                    \
  __hw_of T copysign(T x, T y) { return __builtin_elementwise_copysign(x, y); }                  \
  __hw_of T smoothstep(T low, T high, T x) {                                                     \
    const T t = clamp((x - low) / (high - low), (T)0, (T)1);                                     \
    return t * t * ((T)3 - (T)2 * t);                                                            \
  }
#define __hw_real_vector(T, V)                                                                   \
  __hw_real_scalar(V)                                                                            \
  __hw_of V max(V x, T y) { return __builtin_elementwise_max(x, (V)y); }                         \
  __hw_of V min(V x, T y) { return __builtin_elementwise_min(x, (V)y); }                         \
  __hw_of V clamp(V x, T low, T high) { return min(max(x, (V)low), (V)high); }                   \
  __hw_of V fmax(V x, T y) { return __builtin_elementwise_max(x, (V)y); }                        \
  __hw_of V fmin(V x, T y) { return __builtin_elementwise_min(x, (V)y); }                        \
  __hw_of V smoothstep(T low, T high, V x) { return smoothstep((V)low, (V)high, x); }            \
  __hw_of V step(T edge, V x) { return x < (V)edge ? (V)0 : (V)1; }         \
  __hw_of V step(V edge, V x) { return x < edge ? (V)0 : (V)1; }            \
  __hw_of V sign(V x) {                                                                          \
    return x > (V)0 ? (V)1 : x < (V)0 ? (V)-1 : x == (V)0 ? x : (V)0;                            \
  }
#define __hw_all_real(T)                                                                         \
  __hw_real_scalar(T) __hw_sizes(__hw_real_vector, T)                                            \
  __hw_of T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                 \
  __hw_of T sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0; }               \
  __hw_of T rsqrt(T x) { return __hw_rsqrt_##T(x); }
#define __hw_rsqrt_float(x) __headway_math_f32(0, x, 0, 0)
#define __hw_rsqrt_double(x) __headway_math_f64(0, x, 0, 0)
#define __hw_rsqrt_half(x) ((half)__headway_math_f32(0, (float)x, 0, 0))
__hw_all_real(float)
#ifdef __HEADWAY_DOUBLE
__hw_all_real(double)
#endif
#ifdef __HEADWAY_HALF
__hw_all_real(half)
#endif

// A function of scalars, of each part of a vector.
#define __hw_parts1(f, T, R)                                                                     \
  __hw_of R##2 f(T##2 x) { return (R##2)(f(x.x), f(x.y)); }                                      \
  __hw_of R##3 f(T##3 x) { return (R##3)(f(x.x), f(x.y), f(x.z)); }                              \
  __hw_of R##4 f(T##4 x) { return (R##4)(f(x.lo), f(x.hi)); }                                    \
  __hw_of R##8 f(T##8 x) { return (R##8)(f(x.lo), f(x.hi)); }                                    \
  __hw_of R##16 f(T##16 x) { return (R##16)(f(x.lo), f(x.hi)); }
#define __hw_parts2(f, T, U, R)                                                                  \
  __hw_of R##2 f(T##2 x, U##2 y) { return (R##2)(f(x.x, y.x), f(x.y, y.y)); }                    \
  __hw_of R##3 f(T##3 x, U##3 y) { return (R##3)(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z)); }       \
  __hw_of R##4 f(T##4 x, U##4 y) { return (R##4)(f(x.lo, y.lo), f(x.hi, y.hi)); }                \
  __hw_of R##8 f(T##8 x, U##8 y) { return (R##8)(f(x.lo, y.lo), f(x.hi, y.hi)); }                \
  __hw_of R##16 f(T##16 x, U##16 y) { return (R##16)(f(x.lo, y.lo), f(x.hi, y.hi)); }
#define __hw_parts3(f, T)                                                                        \
  __hw_of T##2 f(T##2 x, T##2 y, T##2 z) { return (T##2)(f(x.x, y.x, z.x), f(x.y, y.y, z.y)); }  \
  __hw_of T##3 f(T##3 x, T##3 y, T##3 z) {                                                       \
    return (T##3)(f(x.x, y.x, z.x), f(x.y, y.y, z.y), f(x.z, y.z, z.z));                         \
  }                                                                                              \
  __hw_of T##4 f(T##4 x, T##4 y, T##4 z) {                                                       \
    return (T##4)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                     \
  }                                                                                              \
  __hw_of T##8 f(T##8 x, T##8 y, T##8 z) {                                                       \
    return (T##8)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                     \
  }                                                                                              \
  __hw_of T##16 f(T##16 x, T##16 y, T##16 z) {                                                   \
    return (T##16)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                    \
  }
// The second operand is a pointer to where more results go.
#define __hw_parts_to(f, T, U)                                                                   \
  __hw_of T##2 f(T##2 x, __hw_any U##2* to) {                                                    \
    U a, b;                                                                                      \
    const T##2 r = (T##2)(f(x.x, &a), f(x.y, &b));                                               \
    *to = (U##2)(a, b);                                                                          \
    return r;                                                                                    \
  }                                                                                              \
  __hw_of T##3 f(T##3 x, __hw_any U##3* to) {                                                    \
    U a, b, c;                                                                                   \
    const T##3 r = (T##3)(f(x.x, &a), f(x.y, &b), f(x.z, &c));                                   \
    *to = (U##3)(a, b, c);                                                                       \
    return r;                                                                                    \
  }                                                                                              \
  __hw_halves_to(f, T##2, U##2, T##4, U##4) __hw_halves_to(f, T##4, U##4, T##8, U##8)            \
  __hw_halves_to(f, T##8, U##8, T##16, U##16)
#define __hw_halves_to(f, T, U, TT, UU)                                                          \
  __hw_of TT f(TT x, __hw_any UU* to) {                                                          \
    U a, b;                                                                                      \
    const TT r = (TT)(f(x.lo, &a), f(x.hi, &b));                                                 \
    *to = (UU)(a, b);                                                                            \
    return r;                                                                                    \
  }
__hw_parts1(rsqrt, float, float)
#ifdef __HEADWAY_DOUBLE
__hw_parts1(rsqrt, double, double)
#endif

// What is not said to be exact is an unknown function of its operands, whose number keeps it apart
// from others. A sum of a product and a number may be rounded once or twice.
#define __hw_math_half(which, x, y, number) ((half)__headway_math_f32(which, x, y, number))
#define __hw_near_exact(T, W, call)                                                              \
  __hw_of T mad(T x, T y, T z) {                                                                 \
    const T any = call(2, call(2, x, y, 68), z, 69), twice = x * y + z, once = fma(x, y, z);     \
    const W same = 0 - (W)(__builtin_astype(once, W) == __builtin_astype(twice, W));             \
    const W r = (__builtin_astype(once, W) & same) | (__builtin_astype(any, W) & ~same);         \
    return __builtin_astype(r, T);                                                               \
  }                                                                                              \
  __hw_parts3(mad, T)                                                                            \
  __hw_of T degrees(T x) { return call(2, x, 0, 70); }                                           \
  __hw_of T radians(T x) { return call(2, x, 0, 71); }                                           \
  __hw_parts1(degrees, T, T) __hw_parts1(radians, T, T)                                          \
  __hw_mix(T, T) __hw_sizes(__hw_mix_vector, T)
#define __hw_mix(T, V) __hw_of V mix(V x, V y, V a) { return mad(y - x, a, x); }
#define __hw_mix_vector(T, V) \
  __hw_mix(T, V) __hw_of V mix(V x, V y, T a) { return mad(y - x, (V)a, x); }
__hw_near_exact(float, uint, __headway_math_f32)
#ifdef __HEADWAY_DOUBLE
__hw_near_exact(double, ulong, __headway_math_f64)
#endif
#ifdef __HEADWAY_HALF
__hw_near_exact(half, ushort, __hw_math_half)
#endif
