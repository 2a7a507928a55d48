// What the device alone can do: barriers, fences, votes and shuffles, caches, clocks, bits.
#pragma once
#include "vector_types.h"

// A macro, as clang has a function of this name.
#define __syncthreads() __headway_barrier(2, 3)
__hw_device int __syncthreads_count(int p) { return __headway_barrier_reduce(0, p); }
__hw_device int __syncthreads_and(int p) { return __headway_barrier_reduce(1, p); }
__hw_device int __syncthreads_or(int p) { return __headway_barrier_reduce(2, p); }
__hw_device void __barrier_sync(unsigned id) { __headway_numbered_barrier(id, 0); }
__hw_device void __barrier_sync_count(unsigned id, unsigned n) { __headway_numbered_barrier(id, n); }
__hw_device void __syncwarp() { __headway_subgroup_barrier(~0ull, 3); }
__hw_device void __syncwarp(unsigned mask) { __headway_subgroup_barrier(mask, 3); }
__hw_device void __threadfence_block() { __headway_fence(4, 2, 3); }
__hw_device void __threadfence() { __headway_fence(4, 3, 3); }
__hw_device void __threadfence_system() { __headway_fence(4, 4, 3); }
__hw_device void __trap() { __headway_trap(); }
__hw_device void __brkpt(int = 0) {}
__hw_device void __prof_trigger(int) {}
__hw_device void __nanosleep(unsigned) {}
__hw_device long clock() { return (long)__headway_unknown_u64(); }
__hw_device long long clock64() { return (long long)__headway_unknown_u64(); }
__hw_device unsigned long long globaltimer() { return __headway_unknown_u64(); }
__hw_device unsigned __smid() { return __headway_unknown_u32(); }

// Votes. Without a mask (64 ones, which no mask of a program has): of the whole warp.
__hw_device int __all(int p) { return __headway_vote(0, ~0ull, p); }
__hw_device int __any(int p) { return __headway_vote(1, ~0ull, p); }
__hw_device unsigned __ballot(int p) { return (unsigned)__headway_ballot(~0ull, p); }
__hw_device int __all_sync(unsigned mask, int p) { return __headway_vote(0, mask, p); }
__hw_device int __any_sync(unsigned mask, int p) { return __headway_vote(1, mask, p); }
__hw_device int __uni_sync(unsigned mask, int p) { return __headway_all_equal_u32(mask, p != 0); }
__hw_device unsigned __ballot_sync(unsigned mask, int p) {
  return (unsigned)__headway_ballot(mask, p);
}
__hw_device unsigned __activemask() { return (unsigned)__headway_active_mask(); }
template <class T>
__hw_device unsigned __match_any_sync(unsigned mask, T value) {
  if constexpr (sizeof(T) == 8) {
    return (unsigned)__headway_match_any_u64(mask, __hw_bits<unsigned long long>(value));
  } else {
    return (unsigned)__headway_match_any_u32(mask, __hw_bits<unsigned>(value));
  }
}
template <class T>
__hw_device unsigned __match_all_sync(unsigned mask, T value, int* all) {
  int equal;
  if constexpr (sizeof(T) == 8) {
    equal = __headway_all_equal_u64(mask, __hw_bits<unsigned long long>(value));
  } else {
    equal = __headway_all_equal_u32(mask, __hw_bits<unsigned>(value));
  }
  *all = equal != 0;
  return equal != 0 ? mask : 0;
}
#define __hw_reduce_sync(T, name, op)                                                 \
  __hw_device T __reduce_##name##_sync(unsigned mask, T value) {                      \
    return (T)__headway_subgroup_reduce_u32(op, 0, mask, (unsigned)value);            \
  }
__hw_reduce_sync(unsigned, add, __hw_add)
__hw_reduce_sync(unsigned, min, __hw_umin)
__hw_reduce_sync(unsigned, max, __hw_umax)
__hw_reduce_sync(int, add, __hw_add)
__hw_reduce_sync(int, min, __hw_smin)
__hw_reduce_sync(int, max, __hw_smax)
__hw_reduce_sync(unsigned, and, __hw_and)
__hw_reduce_sync(unsigned, or, __hw_or)
__hw_reduce_sync(unsigned, xor, __hw_xor)
#undef __hw_reduce_sync

// Of a lane or a distance the low bits count alone (PTX ISA, shfl.sync).
template <int mode, class T>
__hw_device T __hw_shuffle(unsigned long long mask, T value, unsigned lane, unsigned width) {
  lane %= (unsigned)__headway_subgroup_size();
  if constexpr (sizeof(T) == 8) {
    return __hw_bits<T>(
        __headway_shuffle_u64(mode, mask, __hw_bits<unsigned long long>(value), lane, width));
  } else if constexpr (sizeof(T) == 4) {
    return __hw_bits<T>(
        __headway_shuffle_u32(mode, mask, __hw_bits<unsigned>(value), lane, width));
  } else if constexpr (sizeof(T) == 16) {
    struct Halves { unsigned long long low, high; };
    const Halves h = __hw_bits<Halves>(value);
    const Halves result = {__headway_shuffle_u64(mode, mask, h.low, lane, width),
                           __headway_shuffle_u64(mode, mask, h.high, lane, width)};
    return __hw_bits<T>(result);
  } else {
    typedef typename __hw_word<sizeof(T)>::type Word;
    return __hw_bits<T>(
        (Word)__headway_shuffle_u32(mode, mask, __hw_bits<Word>(value), lane, width));
  }
}
// Without a mask they are of the whole warp.
#define __hw_shuffles(suffix, mode, Lane)                                                        \
  template <class T>                                                                             \
  __hw_device T __shfl##suffix(T value, Lane lane) {                                             \
    return __hw_shuffle<mode>(~0ull, value, lane, __headway_subgroup_size());                   \
  }                                                                                              \
  template <class T>                                                                             \
  __hw_device T __shfl##suffix(T value, Lane lane, int width) {                                  \
    return __hw_shuffle<mode>(~0ull, value, lane, width);                                       \
  }                                                                                              \
  template <class T>                                                                             \
  __hw_device T __shfl##suffix##_sync(unsigned mask, T value, Lane lane) {                       \
    return __hw_shuffle<mode>(mask, value, lane, __headway_subgroup_size());                     \
  }                                                                                              \
  template <class T>                                                                             \
  __hw_device T __shfl##suffix##_sync(unsigned mask, T value, Lane lane, int width) {            \
    return __hw_shuffle<mode>(mask, value, lane, width);                                         \
  }
__hw_shuffles(, 0, int)
__hw_shuffles(_up, 1, unsigned)
__hw_shuffles(_down, 2, unsigned)
__hw_shuffles(_xor, 3, int)
#undef __hw_shuffles

// By a cache that no store reaches, so that what it reads may not be written (PTX ISA,
// "ld.global.nc").
template <class T> __hw_device T __ldg(const T* p) {
  __headway_read_only(p);
  return *p;
}
// Loads and stores with cache hints, which change nothing of what others see (PTX ISA, "Cache
// Operators").
#define __hw_load_hint(name) \
  template <class T> __hw_device T name(const T* p) { return *p; }
__hw_load_hint(__ldca)
__hw_load_hint(__ldcg)
__hw_load_hint(__ldcs)
__hw_load_hint(__ldlu)
__hw_load_hint(__ldcv)
#undef __hw_load_hint
#define __hw_store_hint(name) \
  template <class T> __hw_device void name(T* p, typename __hw_same<T>::type v) { *p = v; }
__hw_store_hint(__stwb)
__hw_store_hint(__stcg)
__hw_store_hint(__stcs)
__hw_store_hint(__stwt)
#undef __hw_store_hint
__hw_device void __prefetch_global_l1(const void*) {}
__hw_device void __prefetch_global_l2(const void*) {}

// Bits and integers.
__hw_both int __clz(int x) { return __builtin_clzg((unsigned)x, 32); }
__hw_both int __clzll(long long x) { return __builtin_clzg((unsigned long long)x, 64); }
__hw_both int __ffs(int x) { return __builtin_ctzg((unsigned)x, -1) + 1; }
__hw_both int __ffsll(long long x) { return __builtin_ctzg((unsigned long long)x, -1) + 1; }
__hw_both int __popc(unsigned x) { return __builtin_popcount(x); }
__hw_both int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__hw_both unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__hw_both unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__hw_both unsigned __hw_byte_of(unsigned x, unsigned y, unsigned s) {
  const unsigned long long both = ((unsigned long long)y << 32) | x;
  const unsigned byte = (unsigned)(both >> ((s & 7) * 8)) & 0xff;
  return s & 8 ? (0u - (byte >> 7)) & 0xff : byte;
}
__hw_both unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  return __hw_byte_of(x, y, s & 7) | __hw_byte_of(x, y, (s >> 4) & 7) << 8 |
         __hw_byte_of(x, y, (s >> 8) & 7) << 16 | __hw_byte_of(x, y, (s >> 12) & 7) << 24;
}
__hw_both int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
__hw_both unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
__hw_both unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  const unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
  const unsigned long long middle = ah * bl + ((al * bl) >> 32);
  const unsigned long long other = al * bh + (unsigned)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
}
__hw_both long long __mul64hi(long long a, long long b) {
  return (long long)(__umul64hi((unsigned long long)a, (unsigned long long)b) -
                     (a < 0 ? (unsigned long long)b : 0) - (b < 0 ? (unsigned long long)a : 0));
}
__hw_both int __mul24(int a, int b) {
  return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8));
}
__hw_both unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
__hw_both unsigned __sad(int a, int b, unsigned c) {
  return c + (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b);
}
__hw_both unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a < b ? b - a : a - b);
}
__hw_both int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__hw_both int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__hw_both unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
__hw_both unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
__hw_both unsigned long long __hw_joined(unsigned low, unsigned high) {
  return ((unsigned long long)high << 32) | low;
}
__hw_both unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s) {
  return (unsigned)((__hw_joined(low, high) << (s & 31)) >> 32);
}
__hw_both unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned s) {
  return (unsigned)((__hw_joined(low, high) << (s < 32 ? s : 32)) >> 32);
}
__hw_both unsigned __funnelshift_r(unsigned low, unsigned high, unsigned s) {
  return (unsigned)(__hw_joined(low, high) >> (s & 31));
}
__hw_both unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s) {
  return (unsigned)(__hw_joined(low, high) >> (s < 32 ? s : 32));
}
__hw_both int __hw_signed_byte(int x, int i) { return (int)(signed char)(x >> (8 * i)); }
__hw_both int __dp4a(int a, int b, int c) {
  return c + __hw_signed_byte(a, 0) * __hw_signed_byte(b, 0) +
         __hw_signed_byte(a, 1) * __hw_signed_byte(b, 1) +
         __hw_signed_byte(a, 2) * __hw_signed_byte(b, 2) +
         __hw_signed_byte(a, 3) * __hw_signed_byte(b, 3);
}
__hw_both unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return c + (a & 255) * (b & 255) + (a >> 8 & 255) * (b >> 8 & 255) +
         (a >> 16 & 255) * (b >> 16 & 255) + (a >> 24) * (b >> 24);
}
#define __hw_dot_2(T, Half, Byte)                                                          \
  __hw_both T __dp2a_lo(T a, T b, T c) {                                                   \
    return c + (T)(Half)a * (T)(Byte)b + (T)(Half)(a >> 16) * (T)(Byte)(b >> 8);           \
  }                                                                                        \
  __hw_both T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, b >> 16, c); }
__hw_dot_2(int, short, signed char)
__hw_dot_2(unsigned, unsigned short, unsigned char)
#undef __hw_dot_2
// The place of the n-th bit that is set, from `base` on upwards, or downwards where n is negative.
__hw_both unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffffu;
  const int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int i = (int)base; i >= 0 && i < 32; i += step) {
    if ((mask >> i & 1) != 0 && --left == 0) return (unsigned)i;
  }
  return 0xffffffffu;
}
// Addresses of a space. Those of shared memory are numbers of their own, of which inline assembly finds
// the variable.
__hw_device size_t __cvta_generic_to_shared(const void* p) {
  size_t at;
  __asm__("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
  return at;
}
__hw_device void* __cvta_shared_to_generic(size_t at) {
  void* p;
  __asm__("cvta.shared.u64 %0, %1;" : "=l"(p) : "l"(at));
  return p;
}
__hw_device size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
__hw_device void* __cvta_global_to_generic(size_t at) { return (void*)at; }
__hw_both unsigned __isGlobal(const void*) { return __headway_unknown_u32() & 1; }
__hw_both unsigned __isShared(const void*) { return __headway_unknown_u32() & 1; }
__hw_both unsigned __isConstant(const void*) { return __headway_unknown_u32() & 1; }
__hw_both unsigned __isLocal(const void*) { return __headway_unknown_u32() & 1; }
