// atomicAdd and the others: relaxed, of the device; _block and _system say otherwise.
#pragma once
#include "vector_types.h"

template <int op, int scope, class T>
__hw_device T __hw_atomic(T* at, T value, T compare = T()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "2, 4 or 8 bytes");
  if constexpr (sizeof(T) == 8) {
    return __hw_bits<T>(__headway_atomic_u64(op, at, __hw_bits<unsigned long long>(value),
                                             __hw_bits<unsigned long long>(compare), __hw_relaxed,
                                             scope));
  } else if constexpr (sizeof(T) == 4) {
    return __hw_bits<T>(__headway_atomic_u32(op, at, __hw_bits<unsigned>(value),
                                             __hw_bits<unsigned>(compare), __hw_relaxed, scope));
  } else {
    return __hw_bits<T>(__headway_atomic_u16(op, at, __hw_bits<unsigned short>(value),
                                             __hw_bits<unsigned short>(compare), __hw_relaxed,
                                             scope));
  }
}

#define __hw_atomic_function(name, op, T)                                                       \
  __hw_device T name(T* at, T value) { return __hw_atomic<op, __hw_of_device, T>(at, value); } \
  __hw_device T name##_block(T* at, T value) {                                                  \
    return __hw_atomic<op, __hw_of_block, T>(at, value);                                        \
  }                                                                                             \
  __hw_device T name##_system(T* at, T value) {                                                 \
    return __hw_atomic<op, __hw_of_system, T>(at, value);                                       \
  }
#define __hw_atomic_cas(T)                                               \
  __hw_device T atomicCAS(T* at, T compare, T value) {                   \
    return __hw_atomic<__hw_compare_exchange, __hw_of_device, T>(at, value, compare); \
  }                                                                      \
  __hw_device T atomicCAS_block(T* at, T compare, T value) {             \
    return __hw_atomic<__hw_compare_exchange, __hw_of_block, T>(at, value, compare);  \
  }                                                                      \
  __hw_device T atomicCAS_system(T* at, T compare, T value) {            \
    return __hw_atomic<__hw_compare_exchange, __hw_of_system, T>(at, value, compare); \
  }
#define __hw_atomic_signed(T)                    \
  __hw_atomic_function(atomicMin, __hw_smin, T)  \
  __hw_atomic_function(atomicMax, __hw_smax, T)
#define __hw_atomic_unsigned(T)                  \
  __hw_atomic_function(atomicMin, __hw_umin, T)  \
  __hw_atomic_function(atomicMax, __hw_umax, T)
#define __hw_atomic_integer(T)                   \
  __hw_atomic_function(atomicAdd, __hw_add, T)   \
  __hw_atomic_function(atomicSub, __hw_sub, T)   \
  __hw_atomic_function(atomicExch, __hw_exchange, T) \
  __hw_atomic_function(atomicAnd, __hw_and, T)   \
  __hw_atomic_function(atomicOr, __hw_or, T)     \
  __hw_atomic_function(atomicXor, __hw_xor, T)   \
  __hw_atomic_cas(T)
__hw_atomic_integer(int)
__hw_atomic_integer(unsigned)
__hw_atomic_integer(unsigned long long)
__hw_atomic_integer(long long)
__hw_atomic_signed(int)
__hw_atomic_unsigned(unsigned)
__hw_atomic_signed(long long)
__hw_atomic_unsigned(unsigned long long)
__hw_atomic_cas(unsigned short)
__hw_atomic_function(atomicInc, __hw_wrap_inc, unsigned)
__hw_atomic_function(atomicDec, __hw_wrap_dec, unsigned)
__hw_atomic_function(atomicAdd, __hw_fadd, float)
__hw_atomic_function(atomicAdd, __hw_fadd, double)
__hw_atomic_function(atomicExch, __hw_exchange, float)
// What old kernels call for lack of another type; long is long long there.
#define __hw_atomic_long(name)                                                                \
  __hw_device unsigned long name(unsigned long* at, unsigned long value) {                    \
    return (unsigned long)name((unsigned long long*)at, (unsigned long long)value);           \
  }
__hw_atomic_long(atomicAdd)
__hw_atomic_long(atomicExch)
__hw_atomic_long(atomicMin)
__hw_atomic_long(atomicMax)
#undef __hw_atomic_long
#undef __hw_atomic_integer
#undef __hw_atomic_signed
#undef __hw_atomic_unsigned
#undef __hw_atomic_cas
#undef __hw_atomic_function
