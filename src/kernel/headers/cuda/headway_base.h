// What every CUDA program sees first: qualifiers, types, and the functions that headway's reader
// knows (`__headway_*`, declared and never defined). Everything else in this folder is inline
// functions over them. They have no debug information, so that what they do is placed where they
// are called.
#pragma once

#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device, section("headway.managed")))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(n)
#define __cluster_dims__(...) __headway_clusters_are_not_supported
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __HEADWAY__ 1

// Functions of these headers: of the device, of the host, of both. A function that a program may
// define itself is a template, because its own one is then the better match.
#define __hw_device static __inline__ __attribute__((device, always_inline, nodebug))
#define __hw_host static __inline__ __attribute__((host, always_inline, nodebug))
#define __hw_both static __inline__ __attribute__((host, device, always_inline, nodebug))
#define __hw_weak template <int = 0> __hw_both
// What says how the one machine is that host programs run on here, and how a program was called: others
// are unlike it, so that nothing that is said of a program for all of them follows from these.
#define __hw_machine __attribute__((section("headway.machine")))
#define __hw_machine_data __attribute__((section("headway.machine.data")))
#define __hw_member __inline__ __attribute__((host, device, always_inline, nodebug))
#define __hw_device_member __inline__ __attribute__((device, always_inline, nodebug))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef NULL
#define NULL __null
#endif

#define __hw_known extern "C" __attribute__((host, device))
enum { __hw_no_offset, __hw_dimensions, __hw_images, __hw_surfaces, __hw_cooperative, __hw_textures };
__hw_known void __headway_premise(int which) noexcept;  // that this is taken for granted
__hw_known void __headway_read_only(const void* p) noexcept;  // what is read there is not written
__hw_known unsigned __headway_thread_id(int dimension) noexcept;
__hw_known unsigned __headway_group_id(int dimension) noexcept;
__hw_known unsigned __headway_group_size(int dimension) noexcept;
__hw_known unsigned __headway_groups(int dimension) noexcept;
__hw_known unsigned __headway_cooperative() noexcept;
__hw_known unsigned __headway_lane() noexcept;
__hw_known unsigned __headway_subgroup_id() noexcept;
__hw_known unsigned __headway_subgroup_size() noexcept;
__hw_known unsigned __headway_subgroups() noexcept;
__hw_known unsigned long long __headway_active_mask() noexcept;
__hw_known void __headway_barrier(int scope, int memory) noexcept;
__hw_known void __headway_numbered_barrier(unsigned number, unsigned count) noexcept;
__hw_known int __headway_barrier_reduce(int kind, int predicate) noexcept;
__hw_known void __headway_subgroup_barrier(unsigned long long mask, int memory) noexcept;
__hw_known void __headway_fence(int order, int scope, int memory) noexcept;
__hw_known unsigned long long __headway_async_copy(void* to, const void* from,
                                                   unsigned long long elements,
                                                   unsigned long long element_bytes,
                                                   unsigned long long stride, int kind,
                                                   unsigned long long event) noexcept;
__hw_known void __headway_wait_events(int n, const void* events) noexcept;
__hw_known void __headway_thread_copy(void* to, const void* from, unsigned long long bytes,
                                      unsigned long long copied) noexcept;
__hw_known void __headway_commit_copies() noexcept;
__hw_known void __headway_wait_copies(unsigned long long latest) noexcept;
__hw_known void __headway_arrivals_together() noexcept;
__hw_known void __headway_arrivals_that_end() noexcept;
__hw_known void __headway_copy_of_a_part_of_a_block() noexcept;
__hw_known void __headway_copies_that_go_on() noexcept;
__hw_known unsigned char __headway_atomic_u8(int op, volatile void* at, unsigned char value,
                                             unsigned char compare, int order, int scope) noexcept;
__hw_known unsigned short __headway_atomic_u16(int op, volatile void* at, unsigned short value,
                                               unsigned short compare, int order,
                                               int scope) noexcept;
__hw_known unsigned __headway_atomic_u32(int op, volatile void* at, unsigned value,
                                         unsigned compare, int order, int scope) noexcept;
__hw_known unsigned long long __headway_atomic_u64(int op, volatile void* at,
                                                   unsigned long long value,
                                                   unsigned long long compare, int order,
                                                   int scope) noexcept;
// Compare-and-exchange with an order of its own where it fails.
__hw_known unsigned char __headway_exchange_if_u8(volatile void* at, unsigned char value,
                                                  unsigned char compare, int order, int otherwise,
                                                  int scope) noexcept;
__hw_known unsigned short __headway_exchange_if_u16(volatile void* at, unsigned short value,
                                                    unsigned short compare, int order,
                                                    int otherwise, int scope) noexcept;
__hw_known unsigned __headway_exchange_if_u32(volatile void* at, unsigned value, unsigned compare,
                                              int order, int otherwise, int scope) noexcept;
__hw_known unsigned long long __headway_exchange_if_u64(volatile void* at,
                                                        unsigned long long value,
                                                        unsigned long long compare, int order,
                                                        int otherwise, int scope) noexcept;
__hw_known unsigned __headway_shuffle_u32(int mode, unsigned long long mask, unsigned value,
                                          unsigned lane, unsigned width) noexcept;
__hw_known unsigned long long __headway_shuffle_u64(int mode, unsigned long long mask,
                                                    unsigned long long value, unsigned lane,
                                                    unsigned width) noexcept;
__hw_known unsigned long long __headway_ballot(unsigned long long mask, int predicate) noexcept;
__hw_known int __headway_vote(int kind, unsigned long long mask, int predicate) noexcept;
__hw_known int __headway_all_equal_u32(unsigned long long mask, unsigned value) noexcept;
__hw_known int __headway_all_equal_u64(unsigned long long mask, unsigned long long value) noexcept;
__hw_known unsigned long long __headway_match_any_u32(unsigned long long mask,
                                                      unsigned value) noexcept;
__hw_known unsigned long long __headway_match_any_u64(unsigned long long mask,
                                                      unsigned long long value) noexcept;
__hw_known int __headway_elect() noexcept;
__hw_known unsigned __headway_subgroup_reduce_u32(int op, int kind, unsigned long long mask,
                                                  unsigned value) noexcept;
__hw_known unsigned long long __headway_subgroup_reduce_u64(int op, int kind,
                                                            unsigned long long mask,
                                                            unsigned long long value) noexcept;
__hw_known void __headway_assert(int) noexcept;
__hw_known void __headway_assume(int) noexcept;
__hw_known void __headway_requires(int) noexcept;
__hw_known void __headway_ensures(int) noexcept;
__hw_known void __headway_invariant(int) noexcept;
__hw_known void __headway_global_invariant(int) noexcept;
__hw_known void __headway_function_invariant(int) noexcept;
__hw_known void __headway_barrier_invariant(int, int threads, unsigned, unsigned, unsigned, unsigned,
                                            unsigned, unsigned, unsigned, unsigned) noexcept;
__hw_known unsigned __headway_other_u32(unsigned) noexcept;
__hw_known unsigned long long __headway_other_u64(unsigned long long) noexcept;
__hw_known int __headway_enabled() noexcept;
__hw_known int __headway_same_group() noexcept;
__hw_known int __headway_accessed(int kind, const volatile void*) noexcept;
__hw_known unsigned long long __headway_access_offset(int kind, const volatile void*) noexcept;
__hw_known unsigned long long __headway_pointer_offset(const volatile void*) noexcept;
__hw_known unsigned long long __headway_pointer_base(const volatile void*) noexcept;
__hw_known unsigned __headway_old_u32(unsigned) noexcept;
__hw_known unsigned long long __headway_old_u64(unsigned long long) noexcept;
__hw_known unsigned __headway_returned_u32() noexcept;
__hw_known unsigned long long __headway_returned_u64() noexcept;
__hw_known unsigned char __headway_unknown_u8() noexcept;
__hw_known unsigned short __headway_unknown_u16() noexcept;
__hw_known unsigned __headway_unknown_u32() noexcept;
__hw_known unsigned long long __headway_unknown_u64() noexcept;
__hw_known float __headway_unknown_f32() noexcept;
__hw_known double __headway_unknown_f64() noexcept;
__hw_known void __headway_trap() noexcept;
// Functions: 0 rsqrt, 1 exp10, 2 one that is not known, and from 3 on those that round in a direction.
__hw_known float __headway_math_f32(int function, float, float, float) noexcept;
__hw_known double __headway_math_f64(int function, double, double, double) noexcept;
__hw_known unsigned __headway_opaque_u32(unsigned, unsigned) noexcept;
__hw_known unsigned __headway_group_broadcast_u32(unsigned value, unsigned long long) noexcept;
__hw_known unsigned long long __headway_opaque_u64(unsigned long long, unsigned long long) noexcept;

// Their operations, orders and scopes.
enum : int {
  __hw_load, __hw_store, __hw_exchange, __hw_add, __hw_sub, __hw_and, __hw_or, __hw_xor, __hw_smin,
  __hw_smax, __hw_umin, __hw_umax, __hw_wrap_inc, __hw_wrap_dec, __hw_compare_exchange, __hw_fadd,
  __hw_fsub, __hw_fmin, __hw_fmax
};
enum : int { __hw_relaxed, __hw_acquire, __hw_release, __hw_acq_rel, __hw_seq_cst };
// Rounded toward zero, up or down.
enum : int {
  __hw_add_rz = 3, __hw_add_ru, __hw_add_rd, __hw_sub_rz, __hw_sub_ru, __hw_sub_rd, __hw_mul_rz,
  __hw_mul_ru, __hw_mul_rd, __hw_div_rz, __hw_div_ru, __hw_div_rd, __hw_sqrt_rz, __hw_sqrt_ru,
  __hw_sqrt_rd, __hw_fma_rz, __hw_fma_ru, __hw_fma_rd
};
enum : int { __hw_of_thread, __hw_of_warp, __hw_of_block, __hw_of_device, __hw_of_system };

// The same bits as another type of the same size.
template <class To, class From>
__hw_both To __hw_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "types of one size");
  return __builtin_bit_cast(To, value);
}
template <int bytes> struct __hw_word;
template <> struct __hw_word<1> { typedef unsigned char type; };
template <> struct __hw_word<2> { typedef unsigned short type; };
template <> struct __hw_word<4> { typedef unsigned type; };
template <> struct __hw_word<8> { typedef unsigned long long type; };
template <class T> struct __hw_same { typedef T type; };
template <bool, class T = void> struct __hw_if {};
template <class T> struct __hw_if<true, T> { typedef T type; };
template <class T> struct __hw_is_real { static constexpr bool value = false; };
template <> struct __hw_is_real<float> { static constexpr bool value = true; };
template <> struct __hw_is_real<double> { static constexpr bool value = true; };
template <class T> struct __hw_is_signed { static constexpr bool value = T(-1) < T(0); };

// A value that nothing is known of.
template <class T> struct __hw_unknown_of;
template <class T> __hw_both T __hw_unknown() { return __hw_unknown_of<T>::get(); }
#define __hw_unknown_scalar(T, call) \
  template <> struct __hw_unknown_of<T> { static __hw_member T get() { return (T)call(); } };
__hw_unknown_scalar(bool, 1 & __headway_unknown_u8)
__hw_unknown_scalar(char, __headway_unknown_u8)
__hw_unknown_scalar(signed char, __headway_unknown_u8)
__hw_unknown_scalar(unsigned char, __headway_unknown_u8)
__hw_unknown_scalar(short, __headway_unknown_u16)
__hw_unknown_scalar(unsigned short, __headway_unknown_u16)
__hw_unknown_scalar(int, __headway_unknown_u32)
__hw_unknown_scalar(unsigned, __headway_unknown_u32)
__hw_unknown_scalar(long, __headway_unknown_u64)
__hw_unknown_scalar(unsigned long, __headway_unknown_u64)
__hw_unknown_scalar(long long, __headway_unknown_u64)
__hw_unknown_scalar(unsigned long long, __headway_unknown_u64)
__hw_unknown_scalar(float, __headway_unknown_f32)
__hw_unknown_scalar(double, __headway_unknown_f64)
#undef __hw_unknown_scalar
