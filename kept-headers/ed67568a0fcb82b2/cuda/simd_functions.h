// Four bytes or two halves of a word at a time.
#pragma once
#include "device_functions.h"

template <class T> constexpr int __hw_least_of =
    T(-1) < T(0) ? -(1 << (8 * sizeof(T) - 1)) : 0;
template <class T> constexpr int __hw_most_of =
    T(-1) < T(0) ? (1 << (8 * sizeof(T) - 1)) - 1 : (1 << (8 * sizeof(T))) - 1;

// The result of `f` for each part, cut to its size; the parts are signed or not, as T is.
template <class F, class T> __hw_both unsigned __hw_by_parts(unsigned a, unsigned b) {
  typedef typename __hw_word<sizeof(T)>::type Part;
  constexpr int bits = 8 * sizeof(T);
  const unsigned low = (unsigned)(Part)F::of((T)a, (T)b, __hw_least_of<T>, __hw_most_of<T>) |
                       (unsigned)(Part)F::of((T)(a >> bits), (T)(b >> bits), __hw_least_of<T>,
                                             __hw_most_of<T>) << bits;
  if constexpr (bits == 16) {
    return low;
  } else {
    return low |
           (unsigned)(Part)F::of((T)(a >> 16), (T)(b >> 16), __hw_least_of<T>, __hw_most_of<T>) << 16 |
           (unsigned)(Part)F::of((T)(a >> 24), (T)(b >> 24), __hw_least_of<T>, __hw_most_of<T>) << 24;
  }
}
#define __hw_simd(name, Half, Byte, result)                                                \
  struct __hw_simd_##name {                                                                \
    static __hw_member int of(int x, int y, int least, int most) { return result; }        \
  };                                                                                       \
  __hw_both unsigned __##name##2(unsigned a, unsigned b) {                                 \
    return __hw_by_parts<__hw_simd_##name, Half>(a, b);                                    \
  }                                                                                        \
  __hw_both unsigned __##name##4(unsigned a, unsigned b) {                                 \
    return __hw_by_parts<__hw_simd_##name, Byte>(a, b);                                    \
  }
#define __hw_signed(name, result) __hw_simd(name, short, signed char, result)
#define __hw_unsigned(name, result) __hw_simd(name, unsigned short, unsigned char, result)
#define __hw_clamped(e) ((e) < least ? least : (e) > most ? most : (e))
__hw_unsigned(vadd, x + y) __hw_unsigned(vsub, x - y)
__hw_signed(vaddss, __hw_clamped(x + y)) __hw_signed(vsubss, __hw_clamped(x - y))
__hw_unsigned(vaddus, __hw_clamped(x + y)) __hw_unsigned(vsubus, __hw_clamped(x - y))
__hw_unsigned(vavgu, (x + y + 1) >> 1) __hw_unsigned(vhaddu, (x + y) >> 1)
__hw_signed(vabsdiffs, x < y ? y - x : x - y) __hw_unsigned(vabsdiffu, x < y ? y - x : x - y)
__hw_signed(vmaxs, x < y ? y : x) __hw_unsigned(vmaxu, x < y ? y : x)
__hw_signed(vmins, x < y ? x : y) __hw_unsigned(vminu, x < y ? x : y)
#define __hw_simd_compare(s, kind, op)              \
  __hw_##kind(vcmp##s, -(int)(x op y)) __hw_##kind(vset##s, (int)(x op y))
__hw_simd_compare(eq, unsigned, ==) __hw_simd_compare(ne, unsigned, !=)
__hw_simd_compare(ges, signed, >=) __hw_simd_compare(geu, unsigned, >=)
__hw_simd_compare(gts, signed, >) __hw_simd_compare(gtu, unsigned, >)
__hw_simd_compare(les, signed, <=) __hw_simd_compare(leu, unsigned, <=)
__hw_simd_compare(lts, signed, <) __hw_simd_compare(ltu, unsigned, <)
#define __hw_simd_of_one(name, result)                                                     \
  __hw_signed(name##_of, result)                                                           \
  __hw_both unsigned __##name##2(unsigned a) { return __##name##_of2(a, 0); }              \
  __hw_both unsigned __##name##4(unsigned a) { return __##name##_of4(a, 0); }
__hw_simd_of_one(vabs, x < 0 ? -x : x) __hw_simd_of_one(vneg, -x)
__hw_simd_of_one(vabsss, __hw_clamped(x < 0 ? -x : x)) __hw_simd_of_one(vnegss, __hw_clamped(-x))
#define __hw_simd_sum(s)                                                                   \
  __hw_both unsigned __vsad##s##2(unsigned a, unsigned b) {                                \
    const unsigned d = __vabsdiff##s##2(a, b);                                             \
    return (d & 0xffff) + (d >> 16);                                                       \
  }                                                                                        \
  __hw_both unsigned __vsad##s##4(unsigned a, unsigned b) {                                \
    const unsigned d = __vabsdiff##s##4(a, b);                                             \
    return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);                    \
  }
__hw_simd_sum(s) __hw_simd_sum(u)
// How a signed average is rounded is not computed.
__hw_both unsigned __vavgs2(unsigned a, unsigned b) {
  return __headway_opaque_u32(__headway_opaque_u32(a, b), 40);
}
__hw_both unsigned __vavgs4(unsigned a, unsigned b) {
  return __headway_opaque_u32(__headway_opaque_u32(a, b), 41);
}
#undef __hw_simd_sum
#undef __hw_simd_of_one
#undef __hw_simd_compare
#undef __hw_clamped
#undef __hw_unsigned
#undef __hw_signed
#undef __hw_simd
