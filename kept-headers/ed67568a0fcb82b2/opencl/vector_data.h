// Vectors in arrays of scalars, part by part, as only scalars need be aligned.
#define __hw_load_of(A, T)                                                                       \
  __hw_of T##2 vload2(size_t i, const A T* p) { p += 2 * i; return (T##2)(p[0], p[1]); }         \
  __hw_of T##3 vload3(size_t i, const A T* p) { p += 3 * i; return (T##3)(p[0], p[1], p[2]); }   \
  __hw_of T##4 vload4(size_t i, const A T* p) {                                                  \
    return (T##4)(vload2(2 * i, p), vload2(2 * i + 1, p));                                       \
  }                                                                                              \
  __hw_of T##8 vload8(size_t i, const A T* p) {                                                  \
    return (T##8)(vload4(2 * i, p), vload4(2 * i + 1, p));                                       \
  }                                                                                              \
  __hw_of T##16 vload16(size_t i, const A T* p) {                                                \
    return (T##16)(vload8(2 * i, p), vload8(2 * i + 1, p));                                      \
  }
#define __hw_store_of(T)                                                                         \
  __hw_of void vstore2(T##2 v, size_t i, __hw_any T* p) {                                        \
    p += 2 * i;                                                                                  \
    p[0] = v.x;                                                                                  \
    p[1] = v.y;                                                                                  \
  }                                                                                              \
  __hw_of void vstore3(T##3 v, size_t i, __hw_any T* p) {                                        \
    p += 3 * i;                                                                                  \
    p[0] = v.x;                                                                                  \
    p[1] = v.y;                                                                                  \
    p[2] = v.z;                                                                                  \
  }                                                                                              \
  __hw_of void vstore4(T##4 v, size_t i, __hw_any T* p) {                                        \
    vstore2(v.lo, 2 * i, p);                                                                     \
    vstore2(v.hi, 2 * i + 1, p);                                                                 \
  }                                                                                              \
  __hw_of void vstore8(T##8 v, size_t i, __hw_any T* p) {                                        \
    vstore4(v.lo, 2 * i, p);                                                                     \
    vstore4(v.hi, 2 * i + 1, p);                                                                 \
  }                                                                                              \
  __hw_of void vstore16(T##16 v, size_t i, __hw_any T* p) {                                      \
    vstore8(v.lo, 2 * i, p);                                                                     \
    vstore8(v.hi, 2 * i + 1, p);                                                                 \
  }
#define __hw_data(T) __hw_load_of(__hw_any, T) __hw_load_of(__constant, T) __hw_store_of(T)
__hw_data(char) __hw_data(uchar) __hw_data(short) __hw_data(ushort) __hw_data(int) __hw_data(uint)
__hw_data(long) __hw_data(ulong) __hw_data(float)
#ifdef __HEADWAY_DOUBLE
__hw_data(double)
#endif
#ifdef __HEADWAY_HALF
__hw_data(half)
#define __hw_half_of(A)                                                                          \
  __hw_of float vload_half(size_t i, const A half* p) { return (float)p[i]; }                    \
  __hw_of float2 vload_half2(size_t i, const A half* p) { return __builtin_convertvector(vload2(i, p), float2); } \
  __hw_of float3 vload_half3(size_t i, const A half* p) { return __builtin_convertvector(vload3(i, p), float3); } \
  __hw_of float4 vload_half4(size_t i, const A half* p) { return __builtin_convertvector(vload4(i, p), float4); } \
  __hw_of float8 vload_half8(size_t i, const A half* p) { return __builtin_convertvector(vload8(i, p), float8); } \
  __hw_of float16 vload_half16(size_t i, const A half* p) { return __builtin_convertvector(vload16(i, p), float16); } \
  __hw_of float2 vloada_half2(size_t i, const A half* p) { return vload_half2(i, p); }           \
  __hw_of float3 vloada_half3(size_t i, const A half* p) { return vload_half4(i, p).xyz; }       \
  __hw_of float4 vloada_half4(size_t i, const A half* p) { return vload_half4(i, p); }           \
  __hw_of float8 vloada_half8(size_t i, const A half* p) { return vload_half8(i, p); }           \
  __hw_of float16 vloada_half16(size_t i, const A half* p) { return vload_half16(i, p); }
__hw_half_of(__hw_any)
__hw_half_of(__constant)
// `one` and `all` are how scalars and vectors become halves.
#define __hw_half_store(R, m, one, all)                                                          \
  __hw_of void vstore_half##m(R v, size_t i, __hw_any half* p) { p[i] = one(v); }                \
  __hw_half_stores(R, 2, m, all) __hw_half_stores(R, 3, m, all) __hw_half_stores(R, 4, m, all)   \
  __hw_half_stores(R, 8, m, all) __hw_half_stores(R, 16, m, all)                                 \
  __hw_half_aligned(R, 2, m) __hw_half_aligned(R, 4, m) __hw_half_aligned(R, 8, m)               \
  __hw_half_aligned(R, 16, m)                                                                    \
  __hw_of void vstorea_half3##m(R##3 v, size_t i, __hw_any half* p) {                            \
    vstore_half3##m(v, 0, p + 4 * i);                                                            \
  }
#define __hw_half_stores(R, n, m, all)                                                           \
  __hw_of void vstore_half##n##m(R##n v, size_t i, __hw_any half* p) {                           \
    vstore##n(all(v, half##n), i, p);                                                            \
  }
#define __hw_half_aligned(R, n, m)                                                               \
  __hw_of void vstorea_half##n##m(R##n v, size_t i, __hw_any half* p) {                          \
    vstore_half##n##m(v, i, p);                                                                  \
  }
#define __hw_near(v) ((half)(v))
#define __hw_all_near(v, halves) __builtin_convertvector((v), halves)
#define __hw_down(v, ...) __hw_to_half((v), -1)
#define __hw_toward_zero(v, ...) __hw_to_half((v), 0)
#define __hw_up(v, ...) __hw_to_half((v), 1)
#define __hw_half_rounded(R)                                                                     \
  __hw_half_store(R, , __hw_near, __hw_all_near) __hw_half_store(R, _rte, __hw_near, __hw_all_near) \
  __hw_half_store(R, _rtz, __hw_toward_zero, __hw_toward_zero)                                   \
  __hw_half_store(R, _rtp, __hw_up, __hw_up) __hw_half_store(R, _rtn, __hw_down, __hw_down)
__hw_half_rounded(float)
#ifdef __HEADWAY_DOUBLE
__hw_half_rounded(double)
#endif
#endif
