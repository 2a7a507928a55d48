// Lengths, distances and products of vectors.
#define __hw_geometry(T, root)                                                                   \
  __hw_of T dot(T x, T y) { return x * y; }                                                      \
  __hw_of T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                \
  __hw_of T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                    \
  __hw_of T dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }        \
  __hw_of T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                   \
  __hw_of T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }               \
  __hw_lengths(T, T, ) __hw_lengths(T, T##2, fast_) __hw_lengths(T, T##3, fast_)                 \
  __hw_lengths(T, T##4, fast_) __hw_lengths(T, T, fast_)                                         \
  __hw_lengths(T, T##2, ) __hw_lengths(T, T##3, ) __hw_lengths(T, T##4, )
#define __hw_lengths(T, V, p)                                                                    \
  __hw_of T p##length(V x) { return __builtin_elementwise_sqrt(dot(x, x)); }                     \
  __hw_of T p##distance(V x, V y) { return p##length(x - y); }                                   \
  __hw_of V p##normalize(V x) { return x / p##length(x); }
__hw_geometry(float, f)
#ifdef __HEADWAY_DOUBLE
__hw_geometry(double, )
#endif
#ifdef __HEADWAY_HALF
__hw_geometry(half, )
#endif
