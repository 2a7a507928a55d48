// Lengths, distances and products of vectors, which devices compute to within an error: unknown
// functions of all that is in their operands.
#define __hw_geometry(T, call)                                                                   \
  __hw_of T dot(T a, T b) { return call(2, a, b, 80); }                                          \
  __hw_of T dot(T##2 a, T##2 b) { return call(2, dot(a.x, b.x), dot(a.y, b.y), 81); }            \
  __hw_of T dot(T##3 a, T##3 b) { return call(2, dot(a.xy, b.xy), dot(a.z, b.z), 81); }          \
  __hw_of T dot(T##4 a, T##4 b) { return call(2, dot(a.lo, b.lo), dot(a.hi, b.hi), 81); }        \
  __hw_of T __hw_minor(T a, T b, T c, T d) { return call(2, dot(a, d), dot(b, c), 82); }         \
  __hw_of T##3 cross(T##3 a, T##3 b) {                                                           \
    return (T##3)(__hw_minor(a.y, a.z, b.y, b.z), __hw_minor(a.z, a.x, b.z, b.x),                \
                  __hw_minor(a.x, a.y, b.x, b.y));                                               \
  }                                                                                              \
  __hw_of T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }               \
  __hw_lengths(T, call, , 83) __hw_lengths(T, call, fast_, 86)
#define __hw_lengths(T, call, p, n)                                                              \
  __hw_of T __hw_##p##unit(T x, T length) { return call(2, x, length, n + 2); }                  \
  __hw_length(T, T, call, p, n) __hw_length(T, T##2, call, p, n)                                 \
  __hw_length(T, T##3, call, p, n) __hw_length(T, T##4, call, p, n)                              \
  __hw_parts2(__hw_##p##unit, T, T, T)                                                           \
  __hw_normal(T, p) __hw_normal(T##2, p) __hw_normal(T##3, p) __hw_normal(T##4, p)
#define __hw_length(T, V, call, p, n)                                                            \
  __hw_of T p##length(V x) { return call(2, dot(x, x), 0, n); }                                  \
  __hw_of T p##distance(V x, V y) { return call(2, dot(x - y, x - y), 0, n + 1); }
#define __hw_normal(V, p) \
  __hw_of V p##normalize(V x) { return __hw_##p##unit(x, (V)p##length(x)); }
__hw_geometry(float, __headway_math_f32)
#ifdef __HEADWAY_DOUBLE
__hw_geometry(double, __headway_math_f64)
#endif
#ifdef __HEADWAY_HALF
__hw_geometry(half, __hw_math_half)
#endif
