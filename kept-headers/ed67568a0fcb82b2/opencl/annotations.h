// What kernels say of themselves, in the vocabulary of GPUVerify (docs/reference/kernels.md).
// Conditions do not short-circuit, so that a claim stays in one basic block.
#define __hw_claim(function, e) function((int)!!(e))
#define __assert(e) __hw_claim(__headway_assert, e)
#define __global_assert(e) __hw_claim(__headway_assert, e)
#define __unsafe_assert(e) __hw_claim(__headway_assert, e)
#define __unsafe_global_assert(e) __hw_claim(__headway_assert, e)
#define __assume(e) __hw_claim(__headway_assume, e)
#define __requires(e) __hw_claim(__headway_requires, e)
#define __global_requires(e) __hw_claim(__headway_requires, e)
#define __ensures(e) __hw_claim(__headway_ensures, e)
#define __global_ensures(e) __hw_claim(__headway_ensures, e)
#define __invariant(e) __hw_claim(__headway_invariant, e)
#define __global_invariant(e) __hw_claim(__headway_global_invariant, e)
#define __function_wide_invariant(e) __hw_claim(__headway_function_invariant, e)
// Candidates are ideas for a prover, which has its own.
#define __candidate_invariant(e) ((void)0)
#define __candidate_global_invariant(e) ((void)0)
#define __function_wide_candidate_invariant(e) ((void)0)
#define __candidate_assert(e) ((void)0)
#define __candidate_global_assert(e) ((void)0)
#define __unsafe_candidate_assert(e) ((void)0)
#define __unsafe_candidate_global_assert(e) ((void)0)
#define __non_temporal_loads_begin() ((void)0)
#define __non_temporal_loads_end() ((void)0)
// At the start of every kernel.
#define __hw_paste(a, b) a##b
#define __hw_axiom(e, n)                                                           \
  __attribute__((used, nodebug)) bool __hw_paste(__headway_axiom_, n)(void) { return e; }
#define __axiom(e) __hw_axiom(e, __COUNTER__)

#define __implies(a, b) ((bool)((int)!(a) | (int)!!(b)))
#define __enabled() ((bool)__headway_enabled())
#define __dominator_enabled() ((bool)__headway_enabled())
#define __same_group ((bool)__headway_same_group())
__hw_of bool __other_bool(bool e) { return __headway_other_u32(e) != 0; }
#define __hw_other(T, W, N) \
  __hw_of T __other_int(T e) { return (T)__headway_other_##N((W)e); }
__hw_other(char, uint, u32) __hw_other(uchar, uint, u32) __hw_other(short, uint, u32)
__hw_other(ushort, uint, u32) __hw_other(int, uint, u32) __hw_other(uint, uint, u32)
__hw_other(long, ulong, u64) __hw_other(ulong, ulong, u64)
#undef __hw_other
#define __other_ptr_base(p) __headway_other_u64(p)
#define __uniform_int(e) ((bool)((e) == __other_int(e)))
#define __uniform_bool(e) ((bool)(!!(e) == __other_bool(!!(e))))
#define __uniform_ptr_base(p) __uniform_int(__ptr_base(p))
#define __distinct_int(e) ((bool)((e) != __other_int(e)))
#define __distinct_bool(e) ((bool)(!!(e) != __other_bool(!!(e))))
#define __distinct_ptr_base(p) __distinct_int(__ptr_base(p))
#define __all(e) ((bool)((int)!!(e) & (int)__other_bool(!!(e))))
#define __exclusive(e) ((bool)!__all(e))
#define __read(p) ((bool)__headway_accessed(0, p))
#define __write(p) ((bool)__headway_accessed(1, p))
#define __no_read(p) ((bool)!__headway_accessed(0, p))
#define __no_write(p) ((bool)!__headway_accessed(1, p))
#define __read_implies(p, e) __implies(__read(p), e)
#define __write_implies(p, e) __implies(__write(p), e)
#define __read_offset_bytes(p) ((size_t)__headway_access_offset(0, p))
#define __write_offset_bytes(p) ((size_t)__headway_access_offset(1, p))
#define __read_offset(p) (__read_offset_bytes(p) / sizeof(*(p)))
#define __write_offset(p) (__write_offset_bytes(p) / sizeof(*(p)))
#define __ptr_offset_bytes(p) ((size_t)__headway_pointer_offset(p))
#define __ptr_base(p) (__headway_pointer_base(p))
#define __old_int(e) ((int)__headway_old_u32((uint)(e)))
#define __old_bool(e) (__headway_old_u32(!!(e)) != 0)
#define __return_val_int() ((int)__headway_returned_u32())
#define __return_val_bool() (__headway_returned_u32() != 0)
#define __return_val_ptr() ((void*)__headway_returned_u64())
#define __is_pow2(x) ((((x) & ((x) - 1)) == 0))
#define __mod_pow2(x, y) (((y) - 1) & (x))

// A sum that is assumed not to overflow.
#define __hw_addition(name, T)                                                                   \
  __hw_of T __add_noovfl_##name(T x, T y) {                                                      \
    const T sum = (T)(x + y);                                                                    \
    __headway_assume(((T)-1 < (T)0) ? ((x ^ sum) & (y ^ sum)) >= 0 : sum >= x);                  \
    return sum;                                                                                  \
  }                                                                                              \
  __hw_of T __add_##name(T x, T y) { return (T)(x + y); }                                        \
  __hw_of T __add(T x, T y) { return (T)(x + y); }                                               \
  __hw_of T __ite_##name(bool b, T x, T y) { return b ? x : y; }                                 \
  __hw_of T __ite(bool b, T x, T y) { return b ? x : y; }
__hw_addition(char, char) __hw_addition(unsigned_char, uchar) __hw_addition(short, short)
__hw_addition(unsigned_short, ushort) __hw_addition(int, int) __hw_addition(unsigned_int, uint)
__hw_addition(long, long) __hw_addition(unsigned_long, ulong)
#undef __hw_addition
__hw_of bool __add_noovfl(uint a, uint b) { return a + b >= a; }
__hw_of bool __add_noovfl(uint a, uint b, uint c) {
  return (bool)((int)(a + b >= a) & (int)__add_noovfl(a + b, c));
}
__hw_of bool __add_noovfl(uint a, uint b, uint c, uint d) {
  return (bool)((int)(a + b >= a) & (int)__add_noovfl(a + b, c, d));
}
#define __add_noovfl_unsigned __add_noovfl

// What a function may access says less than its body does.
#define __reads_from(p) ((void)(p))
#define __reads_from_local(p) ((void)(p))
#define __reads_from_global(p) ((void)(p))
#define __writes_to(p) ((void)(p))
#define __writes_to_local(p) ((void)(p))
#define __writes_to_global(p) ((void)(p))

// Barrier invariants: the condition at this thread, and at up to 8 threads
// (threadIdx.x, or get_local_id(0), of each) that it is to be used for.
#define __hw_count_of(a, b, c, d, e, f, g, h, i, j, n, ...) n
#define __hw_first_of(n, a, b, c, d, e, f, g, h, ...) \
  n, (uint)(a), (uint)(b), (uint)(c), (uint)(d), (uint)(e), (uint)(f), (uint)(g), (uint)(h)
// A name comes first, as only then a comma in front of nothing goes in all dialects.
#define __hw_threads(zero, ...)                                                               \
  __hw_first_of(__hw_count_of(zero, ##__VA_ARGS__, 8, 8, 7, 6, 5, 4, 3, 2, 1, 0), ##__VA_ARGS__, \
                0, 0, 0, 0, 0, 0, 0, 0, 0)
#define __hw_barrier_claim(e, ...) \
  __headway_barrier_invariant((int)!!(e), __hw_threads(0, ##__VA_ARGS__))
#define __barrier_invariant(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_1(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_2(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_3(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_4(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_5(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_6(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_7(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
#define __barrier_invariant_8(e, ...) __hw_barrier_claim(e, ##__VA_ARGS__)
// Of pairs: checked, and not used.
#define __barrier_invariant_binary(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_1(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_2(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_3(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_4(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_5(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_6(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_7(e, ...) __hw_barrier_claim(e)
#define __barrier_invariant_binary_8(e, ...) __hw_barrier_claim(e)
#define __array_snapshot(to, from) __headway_array_snapshot(to, from)

// Unknown functions of their operands.
#define DECLARE_UF_UNARY(name, A, R) __hw_unknown_unary(name, A, R, __COUNTER__)
#define DECLARE_UF_BINARY(name, A, B, R) __hw_unknown_binary(name, A, B, R, __COUNTER__)
#define __hw_unknown_unary(name, A, R, number) \
  __hw_of R name(A x) { return (R)__headway_opaque_u32((uint)x, 0x40000000u + number); }
#define __hw_unknown_binary(name, A, B, R, number)                                     \
  __hw_of R name(A x, B y) {                                                           \
    return (R)__headway_opaque_u32(__headway_opaque_u32((uint)x, (uint)y),             \
                                   0x40000000u + number);                              \
  }
// Nondeterminism as model checkers spell it.
__hw_of int nondet_int(void) { return (int)__headway_unknown_u32(); }
__hw_of uint nondet_uint(void) { return __headway_unknown_u32(); }
__hw_of float nondet_float(void) { return __headway_unknown_f32(); }
__hw_of bool nondet_bool(void) { return __headway_unknown_u8() & 1; }
