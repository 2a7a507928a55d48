// Comparisons, which give 1 for scalars and -1 in each part of a vector, and what chooses by them.
#define __hw_relation(T, n, I, name, op) \
  __hw_of I##n name(T##n x, T##n y) { return (I##n)(x op y); }
#define __hw_relations(T, n, I, smallest)                                                        \
  __hw_relation(T, n, I, isequal, ==) __hw_relation(T, n, I, isnotequal, !=)                     \
  __hw_relation(T, n, I, isgreater, >) __hw_relation(T, n, I, isgreaterequal, >=)                \
  __hw_relation(T, n, I, isless, <) __hw_relation(T, n, I, islessequal, <=)                      \
  __hw_of I##n islessgreater(T##n x, T##n y) { return (I##n)((x < y) | (x > y)); }               \
  __hw_of I##n isnan(T##n x) { return (I##n)(x != x); }                                          \
  __hw_of I##n isordered(T##n x, T##n y) { return (I##n)((x == x) & (y == y)); }                 \
  __hw_of I##n isunordered(T##n x, T##n y) { return (I##n)((x != x) | (y != y)); }               \
  __hw_of I##n isinf(T##n x) { return (I##n)(__builtin_elementwise_abs(x) == (T##n)INFINITY); }  \
  __hw_of I##n isfinite(T##n x) { return (I##n)(__builtin_elementwise_abs(x) < (T##n)INFINITY); } \
  __hw_of I##n isnormal(T##n x) {                                                                \
    return (I##n)((__builtin_elementwise_abs(x) >= (T##n)smallest) &                             \
                  (__builtin_elementwise_abs(x) < (T##n)INFINITY));                              \
  }
#define __hw_relational(T, S, I, L, smallest)                                                    \
  __hw_relations(T, , S, smallest) __hw_relations(T, 2, I, smallest)                             \
  __hw_relations(T, 3, I, smallest) __hw_relations(T, 4, I, smallest)                            \
  __hw_relations(T, 8, I, smallest) __hw_relations(T, 16, I, smallest)                           \
  __hw_of int signbit(T x) { return __builtin_astype(x, L) < 0; }                                \
  __hw_of L##2 signbit(T##2 x) { return __builtin_astype(x, L##2) < (L##2)0; }                   \
  __hw_of L##3 signbit(T##3 x) { return __builtin_astype(x, L##3) < (L##3)0; }                   \
  __hw_of L##4 signbit(T##4 x) { return __builtin_astype(x, L##4) < (L##4)0; }                   \
  __hw_of L##8 signbit(T##8 x) { return __builtin_astype(x, L##8) < (L##8)0; }                   \
  __hw_of L##16 signbit(T##16 x) { return __builtin_astype(x, L##16) < (L##16)0; }
__hw_relational(float, int, int, int, FLT_MIN)
#ifdef __HEADWAY_DOUBLE
__hw_relational(double, int, long, long, DBL_MIN)
#endif
#ifdef __HEADWAY_HALF
__hw_relational(half, int, short, short, HALF_MIN)
#endif

#define __hw_signs(T)                                                                            \
  __hw_of int any(T x) { return x < 0; }                                                         \
  __hw_of int any(T##2 x) { return (x.x | x.y) < 0; }                                            \
  __hw_of int any(T##3 x) { return (x.x | x.y | x.z) < 0; }                                      \
  __hw_of int any(T##4 x) { return any(x.lo | x.hi); }                                           \
  __hw_of int any(T##8 x) { return any(x.lo | x.hi); }                                           \
  __hw_of int any(T##16 x) { return any(x.lo | x.hi); }                                          \
  __hw_of int all(T x) { return x < 0; }                                                         \
  __hw_of int all(T##2 x) { return (x.x & x.y) < 0; }                                            \
  __hw_of int all(T##3 x) { return (x.x & x.y & x.z) < 0; }                                      \
  __hw_of int all(T##4 x) { return all(x.lo & x.hi); }                                           \
  __hw_of int all(T##8 x) { return all(x.lo & x.hi); }                                           \
  __hw_of int all(T##16 x) { return all(x.lo & x.hi); }
__hw_signs(char) __hw_signs(short) __hw_signs(int) __hw_signs(long)

#define __hw_choose(T, W, U, n)                                                                  \
  __hw_of T##n bitselect(T##n x, T##n y, T##n mask) {                                            \
    const U##n m = __builtin_astype(mask, U##n);                                                 \
    const U##n r = (__builtin_astype(x, U##n) & ~m) | (__builtin_astype(y, U##n) & m);           \
    return __builtin_astype(r, T##n);                                                            \
  }
#define __hw_select_vector(T, I, S, n) \
  __hw_of T##n select(T##n x, T##n y, I##n c) {                                                  \
    const S##n taken = __builtin_astype(c, S##n) < (S##n)0;                                      \
    const S##n r = (__builtin_astype(x, S##n) & ~taken) | (__builtin_astype(y, S##n) & taken);   \
    return __builtin_astype(r, T##n);                                                            \
  }
#define __hw_select(T, I, S, U)                                                                  \
  __hw_of T select(T x, T y, I c) { return c ? y : x; }                                          \
  __hw_select_vector(T, I, S, 2) __hw_select_vector(T, I, S, 3) __hw_select_vector(T, I, S, 4)   \
  __hw_select_vector(T, I, S, 8) __hw_select_vector(T, I, S, 16)
#define __hw_selection(T, S, U)                                                                  \
  __hw_select(T, S, S, U) __hw_select(T, U, S, U)                                                \
  __hw_choose(T, S, U, ) __hw_choose(T, S, U, 2) __hw_choose(T, S, U, 3) __hw_choose(T, S, U, 4) \
  __hw_choose(T, S, U, 8) __hw_choose(T, S, U, 16)
__hw_selection(char, char, uchar) __hw_selection(uchar, char, uchar)
__hw_selection(short, short, ushort) __hw_selection(ushort, short, ushort)
__hw_selection(int, int, uint) __hw_selection(uint, int, uint)
__hw_selection(long, long, ulong) __hw_selection(ulong, long, ulong)
__hw_selection(float, int, uint)
#ifdef __HEADWAY_DOUBLE
__hw_selection(double, long, ulong)
#endif
#ifdef __HEADWAY_HALF
__hw_selection(half, short, ushort)
#endif
