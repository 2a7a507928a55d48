// Conversions to reals that round in a direction: -1 down, 0 toward zero, 1 up. What is near is
// what clang's conversion gives.
#ifndef __HEADWAY_ROUNDING
#define __HEADWAY_ROUNDING
#define __hw_of_way(T, digits, most)                                                             \
  __hw_of T __hw_##T##_of(ulong size, bool negative, int way) {                                  \
    const int over = 64 - (int)__builtin_clzg(size, 64) - digits;                                \
    const ulong dropped = over > 0 ? (ulong)over : 0;                                            \
    const ulong kept = size >> dropped << dropped;                                               \
    const bool away = way == (negative ? -1 : 1);                                                \
    const T next = (T)kept + (kept != size ? (T)(1ul << dropped) : (T)0);                        \
    const T r = away ? next : fmin((T)kept, (T)most);                                            \
    return negative ? -r : r;                                                                    \
  }                                                                                              \
  __hw_of_signed(T, char) __hw_of_signed(T, short) __hw_of_signed(T, int) __hw_of_signed(T, long) \
  __hw_of_unsigned(T, uchar) __hw_of_unsigned(T, ushort) __hw_of_unsigned(T, uint)               \
  __hw_of_unsigned(T, ulong)
#define __hw_of_signed(T, S)                                                                     \
  __hw_of T __hw_to_##T(S x, int way) {                                                          \
    return __hw_##T##_of(x < 0 ? 0 - (ulong)x : (ulong)x, x < 0, way);                           \
  }                                                                                              \
  __hw_ways(T, S)
#define __hw_of_unsigned(T, S)                                                                   \
  __hw_of T __hw_to_##T(S x, int way) { return __hw_##T##_of(x, false, way); }                   \
  __hw_ways(T, S)
// Of longer reals: the one beside what is nearest where that lies on the other side.
#define __hw_of_longer(T, W, S)                                                                  \
  __hw_of T __hw_to_##T(S x, int way) {                                                          \
    const T near = (T)x;                                                                         \
    const S size = fabs(x), found = fabs((S)near);                                               \
    const bool away = way == (x < 0 ? -1 : 1);                                                   \
    const W bits = __builtin_astype(near, W);                                                    \
    const W r = away && found < size ? bits + 1 : !away && found > size ? bits - 1 : bits;       \
    return __builtin_astype(r, T);                                                               \
  }                                                                                              \
  __hw_ways(T, S)
#define __hw_of_shorter(T, S)                                                                    \
  __hw_of T __hw_to_##T(S x, int) { return (T)x; }                                               \
  __hw_ways(T, S)
#define __hw_ways(T, S)                                                                          \
  __hw_of T##2 __hw_to_##T(S##2 x, int way) {                                                    \
    return (T##2)(__hw_to_##T(x.x, way), __hw_to_##T(x.y, way));                                 \
  }                                                                                              \
  __hw_of T##3 __hw_to_##T(S##3 x, int way) {                                                    \
    return (T##3)(__hw_to_##T(x.xy, way), __hw_to_##T(x.z, way));                                \
  }                                                                                              \
  __hw_of T##4 __hw_to_##T(S##4 x, int way) {                                                    \
    return (T##4)(__hw_to_##T(x.lo, way), __hw_to_##T(x.hi, way));                               \
  }                                                                                              \
  __hw_of T##8 __hw_to_##T(S##8 x, int way) {                                                    \
    return (T##8)(__hw_to_##T(x.lo, way), __hw_to_##T(x.hi, way));                               \
  }                                                                                              \
  __hw_of T##16 __hw_to_##T(S##16 x, int way) {                                                  \
    return (T##16)(__hw_to_##T(x.lo, way), __hw_to_##T(x.hi, way));                              \
  }
__hw_of_way(float, 24, FLT_MAX) __hw_of_shorter(float, float)
#ifdef __HEADWAY_DOUBLE
__hw_of_way(double, 53, DBL_MAX) __hw_of_shorter(double, double)
__hw_of_shorter(double, float) __hw_of_longer(float, uint, double)
#endif
#ifdef __HEADWAY_HALF
__hw_of_way(half, 11, HALF_MAX) __hw_of_shorter(half, half)
__hw_of_shorter(float, half) __hw_of_longer(half, ushort, float)
#ifdef __HEADWAY_DOUBLE
__hw_of_shorter(double, half) __hw_of_longer(half, ushort, double)
#endif
#endif
#undef __hw_ways
#undef __hw_of_shorter
#undef __hw_of_longer
#undef __hw_of_unsigned
#undef __hw_of_signed
#undef __hw_of_way
#endif
