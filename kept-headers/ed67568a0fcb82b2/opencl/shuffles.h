// Parts of one vector or of two, chosen by a mask whose low bits count.
#define __hw_part(r, k, i) \
  r[i] = (k[i] & (2 * __hw_m - 1)) < __hw_m ? x[k[i] & (__hw_m - 1)] : y[k[i] & (__hw_m - 1)];
#define __hw_parts_2(r, k) __hw_part(r, k, 0) __hw_part(r, k, 1)
#define __hw_parts_4(r, k) __hw_parts_2(r, k) __hw_part(r, k, 2) __hw_part(r, k, 3)
#define __hw_parts_8(r, k) \
  __hw_parts_4(r, k) __hw_part(r, k, 4) __hw_part(r, k, 5) __hw_part(r, k, 6) __hw_part(r, k, 7)
#define __hw_parts_16(r, k)                                                                      \
  __hw_parts_8(r, k) __hw_part(r, k, 8) __hw_part(r, k, 9) __hw_part(r, k, 10)                   \
  __hw_part(r, k, 11) __hw_part(r, k, 12) __hw_part(r, k, 13) __hw_part(r, k, 14)                \
  __hw_part(r, k, 15)
#define __hw_shuffle(T, K, n, m)                                                                 \
  __hw_of T##n shuffle2(T##m x, T##m y, K##n mask) {                                             \
    enum { __hw_m = m };                                                                         \
    T##n r;                                                                                      \
    __hw_parts_##n(r, mask)                                                                      \
    return r;                                                                                    \
  }                                                                                              \
  __hw_of T##n shuffle(T##m x, K##n mask) { return shuffle2(x, x, mask); }
#define __hw_shuffle_of(T, K, n)                                                                 \
  __hw_shuffle(T, K, n, 2) __hw_shuffle(T, K, n, 4) __hw_shuffle(T, K, n, 8) __hw_shuffle(T, K, n, 16)
#define __hw_shuffles(T, K)                                                                      \
  __hw_shuffle_of(T, K, 2) __hw_shuffle_of(T, K, 4) __hw_shuffle_of(T, K, 8) __hw_shuffle_of(T, K, 16)
__hw_shuffles(char, uchar) __hw_shuffles(uchar, uchar) __hw_shuffles(short, ushort)
__hw_shuffles(ushort, ushort) __hw_shuffles(int, uint) __hw_shuffles(uint, uint)
__hw_shuffles(long, ulong) __hw_shuffles(ulong, ulong) __hw_shuffles(float, uint)
#ifdef __HEADWAY_DOUBLE
__hw_shuffles(double, ulong)
#endif
#ifdef __HEADWAY_HALF
__hw_shuffles(half, ushort)
#endif
