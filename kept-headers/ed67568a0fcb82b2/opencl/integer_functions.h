// Functions of integers.
#define __hw_integer_common(T, U, bits)                                                          \
  __hw_of T hadd(T x, T y) { return (x >> (T)1) + (y >> (T)1) + (x & y & (T)1); }                \
  __hw_of T rhadd(T x, T y) { return (x >> (T)1) + (y >> (T)1) + ((x | y) & (T)1); }             \
  __hw_of T rotate(T x, T y) {                                                                   \
    const U n = __builtin_astype(y, U) & (U)(bits - 1);                                          \
    const U v = __builtin_astype(x, U);                                                          \
    const U turned = (v << n) | (v >> (((U)bits - n) & (U)(bits - 1)));                          \
    return __builtin_astype(turned, T);                                                          \
  }
#define __hw_limited_sums(T)                                                                     \
  __hw_of T add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }                    \
  __hw_of T sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }
// As vectors, whose parts are not made an int first.
#define __hw_all_limited_sums(T)                                                                 \
  __hw_limited_sums(T##2) __hw_limited_sums(T##3) __hw_limited_sums(T##4)                        \
  __hw_limited_sums(T##8) __hw_limited_sums(T##16)                                               \
  __hw_of T add_sat(T x, T y) { return add_sat((T##2)x, (T##2)y).x; }                            \
  __hw_of T sub_sat(T x, T y) { return sub_sat((T##2)x, (T##2)y).x; }
#define __hw_signed_abs(T, U)                                                                    \
  __hw_of U abs(T x) {                                                                           \
    const T a = __builtin_elementwise_abs(x);                                                    \
    return __builtin_astype(a, U);                                                               \
  }                                                                                              \
  __hw_of U abs_diff(T x, T y) {                                                                 \
    return __builtin_astype(max(x, y), U) - __builtin_astype(min(x, y), U);                      \
  }
#define __hw_unsigned_abs(T, U)                                                                  \
  __hw_of U abs(T x) { return x; }                                                               \
  __hw_of U abs_diff(T x, T y) { return max(x, y) - min(x, y); }
#define __hw_of_size(T, U, n, bits, abs)                                                         \
  __hw_integer_common(T##n, U##n, bits) abs(T##n, U##n)
#define __hw_bits_of(T, U, bits)                                                                 \
  __hw_of T clz(T x) { return (T)__builtin_clzg((U)x, bits); }                                   \
  __hw_of T ctz(T x) { return (T)__builtin_ctzg((U)x, bits); }                                   \
  __hw_of T popcount(T x) { return (T)__builtin_popcountl((ulong)(U)x); }                        \
  __hw_parts1(clz, T, T) __hw_parts1(ctz, T, T) __hw_parts1(popcount, T, T)
#define __hw_high(T, W, bits) \
  __hw_of T mul_hi(T x, T y) { return (T)(((W)x * (W)y) >> bits); }
#define __hw_multiply(T)                                                                         \
  __hw_parts2(mul_hi, T, T, T)                                                                   \
  __hw_of T mad_hi(T x, T y, T z) { return (T)(mul_hi(x, y) + z); }                              \
  __hw_parts3(mad_hi, T) __hw_parts3(mad_sat, T)
#define __hw_limited(T, W, least, most)                                                          \
  __hw_of T mad_sat(T x, T y, T z) {                                                             \
    const W sum = (W)x * (W)y + (W)z;                                                            \
    return sum > (W)(most) ? (T)(most) : sum < (W)(least) ? (T)(least) : (T)sum;                 \
  }
__hw_of ulong mul_hi(ulong a, ulong b) {
  const ulong al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
  const ulong middle = ah * bl + ((al * bl) >> 32);
  const ulong other = al * bh + (uint)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
}
__hw_of long mul_hi(long a, long b) {
  return (long)(mul_hi((ulong)a, (ulong)b) - (a < 0 ? (ulong)b : 0) - (b < 0 ? (ulong)a : 0));
}
// Products of 128 bits are not computed.
__hw_of ulong mad_sat(ulong x, ulong y, ulong z) {
  return __headway_opaque_u64(__headway_opaque_u64(x, y), z);
}
__hw_of long mad_sat(long x, long y, long z) {
  return (long)__headway_opaque_u64(__headway_opaque_u64((ulong)x, (ulong)y), (ulong)z);
}
__hw_high(char, int, 8) __hw_high(uchar, uint, 8) __hw_high(short, int, 16)
__hw_high(ushort, uint, 16) __hw_high(int, long, 32) __hw_high(uint, ulong, 32)
__hw_limited(char, int, SCHAR_MIN, SCHAR_MAX) __hw_limited(uchar, uint, 0, UCHAR_MAX)
__hw_limited(short, int, SHRT_MIN, SHRT_MAX) __hw_limited(ushort, ulong, 0, USHRT_MAX)
__hw_limited(int, long, INT_MIN, INT_MAX) __hw_limited(uint, ulong, 0, UINT_MAX)
#define __hw_all_integers(T, U, bits, abs)                                                       \
  __hw_of_size(T, U, , bits, abs) __hw_of_size(T, U, 2, bits, abs)                               \
  __hw_of_size(T, U, 3, bits, abs) __hw_of_size(T, U, 4, bits, abs)                              \
  __hw_of_size(T, U, 8, bits, abs) __hw_of_size(T, U, 16, bits, abs)                             \
  __hw_bits_of(T, U, bits) __hw_multiply(T) __hw_all_limited_sums(T)
__hw_all_integers(char, uchar, 8, __hw_signed_abs)
__hw_all_integers(uchar, uchar, 8, __hw_unsigned_abs)
__hw_all_integers(short, ushort, 16, __hw_signed_abs)
__hw_all_integers(ushort, ushort, 16, __hw_unsigned_abs)
__hw_all_integers(int, uint, 32, __hw_signed_abs)
__hw_all_integers(uint, uint, 32, __hw_unsigned_abs)
__hw_all_integers(long, ulong, 64, __hw_signed_abs)
__hw_all_integers(ulong, ulong, 64, __hw_unsigned_abs)

// Of operands of more than 24 bits any number.
__hw_of uint __hw_mul24(uint x, uint y, uint fits) {
  const uint any = __headway_opaque_u32(__headway_opaque_u32(x, y), 24), kept = 0 - fits;
  return (x * y & kept) | (any & ~kept);
}
__hw_of int mul24(int x, int y) {
  return (int)__hw_mul24((uint)x, (uint)y, ((x << 8) >> 8 == x) & ((y << 8) >> 8 == y));
}
__hw_of uint mul24(uint x, uint y) { return __hw_mul24(x, y, (x >> 24 == 0) & (y >> 24 == 0)); }
__hw_of int mad24(int x, int y, int z) { return mul24(x, y) + z; }
__hw_of uint mad24(uint x, uint y, uint z) { return mul24(x, y) + z; }
__hw_parts2(mul24, int, int, int) __hw_parts2(mul24, uint, uint, uint)
__hw_parts3(mad24, int) __hw_parts3(mad24, uint)
#define __hw_upsample(T, U, R, bits)                                                             \
  __hw_of R upsample(T high, U low) { return (R)(((R)high << bits) | (R)low); }                  \
  __hw_parts2(upsample, T, U, R)
__hw_upsample(char, uchar, short, 8) __hw_upsample(uchar, uchar, ushort, 8)
__hw_upsample(short, ushort, int, 16) __hw_upsample(ushort, ushort, uint, 16)
__hw_upsample(int, uint, long, 32) __hw_upsample(uint, uint, ulong, 32)
