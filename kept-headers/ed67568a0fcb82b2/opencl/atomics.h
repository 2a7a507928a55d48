// Atomics of OpenCL 1.x (relaxed, of the device), and of 2.0 where its types are.

#define __hw_old(T, W, N, op, at, value) \
  __builtin_astype(__headway_atomic_##N(op, at, __builtin_astype(value, W), 0, 0, 3), T)
#define __hw_binary(T, W, N, name, op)                                                           \
  __hw_of T atomic_##name(volatile __hw_any T* at, T value) { return __hw_old(T, W, N, op, at, value); } \
  __hw_of T atom_##name(volatile __hw_any T* at, T value) { return __hw_old(T, W, N, op, at, value); }
#define __hw_integer(T, W, N, min_op, max_op)                                                    \
  __hw_binary(T, W, N, add, __hw_add) __hw_binary(T, W, N, sub, __hw_sub)                        \
  __hw_binary(T, W, N, xchg, __hw_exchange) __hw_binary(T, W, N, and, __hw_and)                  \
  __hw_binary(T, W, N, or, __hw_or) __hw_binary(T, W, N, xor, __hw_xor)                          \
  __hw_binary(T, W, N, min, min_op) __hw_binary(T, W, N, max, max_op)                            \
  __hw_of T atomic_inc(volatile __hw_any T* at) { return __hw_old(T, W, N, __hw_add, at, (T)1); } \
  __hw_of T atom_inc(volatile __hw_any T* at) { return __hw_old(T, W, N, __hw_add, at, (T)1); }  \
  __hw_of T atomic_dec(volatile __hw_any T* at) { return __hw_old(T, W, N, __hw_sub, at, (T)1); } \
  __hw_of T atom_dec(volatile __hw_any T* at) { return __hw_old(T, W, N, __hw_sub, at, (T)1); }  \
  __hw_of T atomic_cmpxchg(volatile __hw_any T* at, T compare, T value) {                        \
    return (T)__headway_atomic_##N(__hw_compare_exchange, at, (W)value, (W)compare, 0, 3);       \
  }                                                                                              \
  __hw_of T atom_cmpxchg(volatile __hw_any T* at, T compare, T value) {                          \
    return (T)__headway_atomic_##N(__hw_compare_exchange, at, (W)value, (W)compare, 0, 3);       \
  }
__hw_integer(int, uint, u32, __hw_smin, __hw_smax)
__hw_integer(uint, uint, u32, __hw_umin, __hw_umax)
__hw_integer(long, ulong, u64, __hw_smin, __hw_smax)
__hw_integer(ulong, ulong, u64, __hw_umin, __hw_umax)
__hw_of float atomic_xchg(volatile __hw_any float* at, float value) {
  return __hw_old(float, uint, u32, __hw_exchange, at, value);
}
__hw_of float atom_xchg(volatile __hw_any float* at, float value) { return atomic_xchg(at, value); }
#undef __hw_integer
#undef __hw_binary

#if __OPENCL_C_VERSION__ >= 200
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT 0
#define __hw_at (volatile __hw_any void*)at
#define __hw_how __hw_order(order), __hw_scope(scope)
// An exchange that fails writes what it found to `expected`; one that succeeds, what was there.
#define __hw_atomic_base(A, T, W, N)                                                             \
  __hw_of void atomic_init(volatile __hw_any A* at, T value) { *(volatile __hw_any T*)at = value; } \
  __hw_of T atomic_load_explicit(volatile __hw_any A* at, memory_order order, memory_scope scope) { \
    return __builtin_astype(__headway_atomic_##N(__hw_load, __hw_at, 0, 0, __hw_how), T);              \
  }                                                                                              \
  __hw_of T atomic_load_explicit(volatile __hw_any A* at, memory_order order) {                  \
    return atomic_load_explicit(at, order, memory_scope_device);                                 \
  }                                                                                              \
  __hw_of T atomic_load(volatile __hw_any A* at) {                                               \
    return atomic_load_explicit(at, memory_order_seq_cst, memory_scope_device);                  \
  }                                                                                              \
  __hw_of void atomic_store_explicit(volatile __hw_any A* at, T value, memory_order order,       \
                                     memory_scope scope) {                                       \
    __headway_atomic_##N(__hw_store, __hw_at, __builtin_astype(value, W), 0, __hw_how);      \
  }                                                                                              \
  __hw_of void atomic_store_explicit(volatile __hw_any A* at, T value, memory_order order) {     \
    atomic_store_explicit(at, value, order, memory_scope_device);                                \
  }                                                                                              \
  __hw_of void atomic_store(volatile __hw_any A* at, T value) {                                  \
    atomic_store_explicit(at, value, memory_order_seq_cst, memory_scope_device);                 \
  }                                                                                              \
  __hw_compare(A, T, W, N, strong) __hw_compare(A, T, W, N, weak)                                \
  __hw_modify(A, T, T, W, N, exchange, __hw_exchange)
#define __hw_compare(A, T, W, N, kind)                                                           \
  __hw_of bool atomic_compare_exchange_##kind##_explicit(                                        \
      volatile __hw_any A* at, __hw_any T* expected, T value, memory_order success,              \
      memory_order failure, memory_scope scope) {                                                \
    const W wanted = __builtin_astype(*expected, W);                                             \
    const W found = __headway_exchange_if_##N(__hw_at, __builtin_astype(value, W), wanted,       \
                                              __hw_order(success), __hw_order(failure),          \
                                              __hw_scope(scope));                                \
    *expected = __builtin_astype(found, T);                                                      \
    return found == wanted;                                                                      \
  }                                                                                              \
  __hw_of bool atomic_compare_exchange_##kind##_explicit(                                        \
      volatile __hw_any A* at, __hw_any T* expected, T value, memory_order success,              \
      memory_order failure) {                                                                    \
    return atomic_compare_exchange_##kind##_explicit(at, expected, value, success, failure,      \
                                                     memory_scope_device);                       \
  }                                                                                              \
  __hw_of bool atomic_compare_exchange_##kind(volatile __hw_any A* at, __hw_any T* expected,     \
                                              T value) {                                         \
    return atomic_compare_exchange_##kind##_explicit(at, expected, value, memory_order_seq_cst,  \
                                                     memory_order_seq_cst, memory_scope_device); \
  }
#define __hw_modify(A, T, V, W, N, name, op)                                                     \
  __hw_of T atomic_##name##_explicit(volatile __hw_any A* at, V value, memory_order order,       \
                                     memory_scope scope) {                                       \
    return __builtin_astype(                                                                     \
        __headway_atomic_##N(op, __hw_at, __builtin_astype(value, W), 0, __hw_how), T);      \
  }                                                                                              \
  __hw_of T atomic_##name##_explicit(volatile __hw_any A* at, V value, memory_order order) {     \
    return atomic_##name##_explicit(at, value, order, memory_scope_device);                      \
  }                                                                                              \
  __hw_of T atomic_##name(volatile __hw_any A* at, V value) {                                    \
    return atomic_##name##_explicit(at, value, memory_order_seq_cst, memory_scope_device);       \
  }
#define __hw_arithmetic(A, T, W, N, min_op, max_op)                                              \
  __hw_atomic_base(A, T, W, N)                                                                   \
  __hw_modify(A, T, T, W, N, fetch_add, __hw_add) __hw_modify(A, T, T, W, N, fetch_sub, __hw_sub) \
  __hw_modify(A, T, T, W, N, fetch_or, __hw_or) __hw_modify(A, T, T, W, N, fetch_xor, __hw_xor)  \
  __hw_modify(A, T, T, W, N, fetch_and, __hw_and)                                                \
  __hw_modify(A, T, T, W, N, fetch_min, min_op) __hw_modify(A, T, T, W, N, fetch_max, max_op)
#define __hw_real(A, T, W, N)                                                                    \
  __hw_atomic_base(A, T, W, N)                                                                   \
  __hw_modify(A, T, T, W, N, fetch_add, __hw_fadd) __hw_modify(A, T, T, W, N, fetch_sub, __hw_fsub) \
  __hw_modify(A, T, T, W, N, fetch_min, __hw_fmin) __hw_modify(A, T, T, W, N, fetch_max, __hw_fmax)
__hw_arithmetic(atomic_int, int, uint, u32, __hw_smin, __hw_smax)
__hw_arithmetic(atomic_uint, uint, uint, u32, __hw_umin, __hw_umax)
__hw_arithmetic(atomic_long, long, ulong, u64, __hw_smin, __hw_smax)
__hw_arithmetic(atomic_ulong, ulong, ulong, u64, __hw_umin, __hw_umax)
__hw_real(atomic_float, float, uint, u32)
#ifdef __HEADWAY_DOUBLE
__hw_real(atomic_double, double, ulong, u64)
#endif
__hw_of bool atomic_flag_test_and_set_explicit(volatile __hw_any atomic_flag* at,
                                               memory_order order, memory_scope scope) {
  return __headway_atomic_u32(__hw_exchange, __hw_at, 1, 0, __hw_how) != 0;
}
__hw_of bool atomic_flag_test_and_set_explicit(volatile __hw_any atomic_flag* at,
                                               memory_order order) {
  return atomic_flag_test_and_set_explicit(at, order, memory_scope_device);
}
__hw_of bool atomic_flag_test_and_set(volatile __hw_any atomic_flag* at) {
  return atomic_flag_test_and_set_explicit(at, memory_order_seq_cst, memory_scope_device);
}
__hw_of void atomic_flag_clear_explicit(volatile __hw_any atomic_flag* at, memory_order order,
                                        memory_scope scope) {
  __headway_atomic_u32(__hw_store, __hw_at, 0, 0, __hw_how);
}
__hw_of void atomic_flag_clear_explicit(volatile __hw_any atomic_flag* at, memory_order order) {
  atomic_flag_clear_explicit(at, order, memory_scope_device);
}
__hw_of void atomic_flag_clear(volatile __hw_any atomic_flag* at) {
  atomic_flag_clear_explicit(at, memory_order_seq_cst, memory_scope_device);
}
#undef __hw_real
#undef __hw_arithmetic
#undef __hw_modify
#undef __hw_compare
#undef __hw_atomic_base
#undef __hw_at
#undef __hw_how
#endif
#undef __hw_old
