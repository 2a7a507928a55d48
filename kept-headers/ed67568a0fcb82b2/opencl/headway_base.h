// What every OpenCL C program sees first: types, and the functions that headway's reader knows
// (`__headway_*`, declared and never defined). Everything else in this folder is inline functions
// over them. They have no debug information, so that what they do is placed where they are called.
#define __HEADWAY__ 1
#ifndef __hw_of
#define __hw_of static inline __attribute__((overloadable, always_inline, nodebug))
#endif
// Whatever memory a pointer goes to but constant memory; there in every version.
#define __hw_any __attribute__((opencl_generic))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#ifndef bool
#define bool _Bool
#endif
#define true 1
#define false 0
#define NULL ((void*)0)

#define __hw_vectors(T)                                 \
  typedef T T##2 __attribute__((ext_vector_type(2)));   \
  typedef T T##3 __attribute__((ext_vector_type(3)));   \
  typedef T T##4 __attribute__((ext_vector_type(4)));   \
  typedef T T##8 __attribute__((ext_vector_type(8)));   \
  typedef T T##16 __attribute__((ext_vector_type(16)));
__hw_vectors(char) __hw_vectors(uchar) __hw_vectors(short) __hw_vectors(ushort) __hw_vectors(int)
__hw_vectors(uint) __hw_vectors(long) __hw_vectors(ulong) __hw_vectors(float)
#ifdef __HEADWAY_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__hw_vectors(double)
#endif
#ifdef __HEADWAY_HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__hw_vectors(half)
#endif
#undef __hw_vectors

enum { __hw_no_offset, __hw_dimensions, __hw_images, __hw_surfaces };
void __headway_premise(int which);  // that this is taken for granted (kernel/ir/premises.hpp)
unsigned __headway_thread_id(int dimension);
unsigned __headway_group_id(int dimension);
unsigned __headway_group_size(int dimension);
unsigned __headway_groups(int dimension);
unsigned __headway_lane(void);
unsigned __headway_subgroup_id(void);
unsigned __headway_subgroup_size(void);
unsigned __headway_subgroups(void);
ulong __headway_active_mask(void);
void __headway_barrier(int scope, int memory) __attribute__((convergent));
int __headway_barrier_reduce(int kind, int predicate) __attribute__((convergent));
void __headway_scoped_barrier(int memory, int scope) __attribute__((convergent));
void __headway_subgroup_barrier(ulong mask, int memory) __attribute__((convergent));
void __headway_scoped_subgroup_barrier(int memory, int scope) __attribute__((convergent));
int __headway_group_vote(int kind, int predicate) __attribute__((convergent));
void __headway_fence(int order, int scope, int memory);
uint __headway_atomic_u32(int op, volatile __hw_any void* at, uint value, uint compare, int order,
                          int scope);
ulong __headway_atomic_u64(int op, volatile __hw_any void* at, ulong value, ulong compare,
                           int order, int scope);
uint __headway_exchange_if_u32(volatile __hw_any void* at, uint value, uint compare, int order,
                               int otherwise, int scope);
ulong __headway_exchange_if_u64(volatile __hw_any void* at, ulong value, ulong compare, int order,
                                int otherwise, int scope);
uint __headway_shuffle_u32(int mode, ulong mask, uint value, uint lane, uint width)
    __attribute__((convergent));
ulong __headway_shuffle_u64(int mode, ulong mask, ulong value, uint lane, uint width)
    __attribute__((convergent));
ulong __headway_ballot(ulong mask, int predicate) __attribute__((convergent));
int __headway_vote(int kind, ulong mask, int predicate) __attribute__((convergent));
int __headway_all_equal_u32(ulong mask, uint value) __attribute__((convergent));
int __headway_all_equal_u64(ulong mask, ulong value) __attribute__((convergent));
int __headway_elect(void) __attribute__((convergent));
uint __headway_subgroup_reduce_u32(int op, int kind, ulong mask, uint value)
    __attribute__((convergent));
ulong __headway_subgroup_reduce_u64(int op, int kind, ulong mask, ulong value)
    __attribute__((convergent));
uint __headway_group_reduce_u32(int op, int kind, ulong mask, uint value)
    __attribute__((convergent));
ulong __headway_group_reduce_u64(int op, int kind, ulong mask, ulong value)
    __attribute__((convergent));
uint __headway_group_broadcast_u32(uint value, ulong from) __attribute__((convergent));
ulong __headway_group_broadcast_u64(ulong value, ulong from) __attribute__((convergent));
void __headway_assert(int);
void __headway_assume(int);
void __headway_requires(int);
void __headway_ensures(int);
void __headway_invariant(int);
void __headway_global_invariant(int);
void __headway_function_invariant(int);
void __headway_barrier_invariant(int, int threads, uint, uint, uint, uint, uint, uint, uint, uint);
uint __headway_other_u32(uint);
ulong __headway_other_u64(ulong);
int __headway_enabled(void);
int __headway_same_group(void);
int __headway_accessed(int kind, const volatile __hw_any void*);
ulong __headway_access_offset(int kind, const volatile __hw_any void*);
ulong __headway_pointer_offset(const volatile __hw_any void*);
ulong __headway_pointer_base(const volatile __hw_any void*);
uint __headway_old_u32(uint);
ulong __headway_old_u64(ulong);
uint __headway_returned_u32(void);
ulong __headway_returned_u64(void);
void __headway_array_snapshot(__hw_any void* to, const __hw_any void* from);
uchar __headway_unknown_u8(void);
ushort __headway_unknown_u16(void);
uint __headway_unknown_u32(void);
ulong __headway_unknown_u64(void);
float __headway_unknown_f32(void);
void __headway_trap(void);
float __headway_math_f32(int function, float, float, float);
uint __headway_opaque_u32(uint, uint);
ulong __headway_opaque_u64(ulong, ulong);
ulong __headway_async_copy(__hw_any void* to, const __hw_any void* from, ulong elements,
                           ulong element_bytes, ulong stride, int kind, ulong event);
void __headway_wait_events(int n, const __hw_any void* events);
#ifdef __HEADWAY_DOUBLE
double __headway_unknown_f64(void);
double __headway_math_f64(int function, double, double, double);
#endif

// Operations of atomics and of subgroups.
enum {
  __hw_load, __hw_store, __hw_exchange, __hw_add, __hw_sub, __hw_and, __hw_or, __hw_xor, __hw_smin,
  __hw_smax, __hw_umin, __hw_umax, __hw_wrap_inc, __hw_wrap_dec, __hw_compare_exchange, __hw_fadd,
  __hw_fsub, __hw_fmin, __hw_fmax
};
#ifdef __HEADWAY_BUILTINS  // the numbers of clang's own header
#define __hw_numbered(ours, clangs) = clangs
#define __hw_order(order) ((int)(order) - ((order) != 0))
#define __hw_scope(scope) ((int)(scope) + ((scope) != 0) - 4 * ((scope) == 4))
#else  // those that headway's reader knows
#define __hw_numbered(ours, clangs) = ours
#define __hw_order(order) ((int)(order))
#define __hw_scope(scope) ((int)(scope))
#endif
typedef enum memory_order {
  memory_order_relaxed __hw_numbered(0, __ATOMIC_RELAXED),
  memory_order_acquire __hw_numbered(1, __ATOMIC_ACQUIRE),
  memory_order_release __hw_numbered(2, __ATOMIC_RELEASE),
  memory_order_acq_rel __hw_numbered(3, __ATOMIC_ACQ_REL),
  memory_order_seq_cst __hw_numbered(4, __ATOMIC_SEQ_CST)
} memory_order;
typedef enum memory_scope {
  memory_scope_work_item __hw_numbered(0, __OPENCL_MEMORY_SCOPE_WORK_ITEM),
  memory_scope_sub_group __hw_numbered(1, __OPENCL_MEMORY_SCOPE_SUB_GROUP),
  memory_scope_work_group __hw_numbered(2, __OPENCL_MEMORY_SCOPE_WORK_GROUP),
  memory_scope_device __hw_numbered(3, __OPENCL_MEMORY_SCOPE_DEVICE),
  memory_scope_all_svm_devices __hw_numbered(4, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES),
  memory_scope_all_devices = memory_scope_all_svm_devices
} memory_scope;
typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 1u
#define CLK_GLOBAL_MEM_FENCE 2u
#define CLK_IMAGE_MEM_FENCE 4u

int printf(__constant const char* format, ...);
#define assert(e) __headway_assert((int)!!(e))

#ifndef __OPENCL_VERSION__  // of the device, as far as a file can tell
#define __OPENCL_VERSION__ __OPENCL_C_VERSION__
#endif
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP (-125)
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_10_EXP 308
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MIN_EXP (-1021)
#define DBL_RADIX 2
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#ifdef __HEADWAY_HALF
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP 4
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MIN_EXP (-13)
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define M_E_H 2.71828182845904523536h
#define M_PI_H 3.14159265358979323846h
#define M_PI_2_H 1.57079632679489661923h
#define M_LN2_H 0.69314718055994530942h
#define M_SQRT2_H 1.41421356237309504880h
#endif
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define MAXFLOAT FLT_MAX
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E_F 2.718281828459045f
#define M_LOG2E_F 1.442695040888963f
#define M_LOG10E_F 0.434294481903252f
#define M_LN2_F 0.693147180559945f
#define M_LN10_F 2.302585092994046f
#define M_PI_F 3.141592653589793f
#define M_PI_2_F 1.570796326794897f
#define M_PI_4_F 0.785398163397448f
#define M_1_PI_F 0.318309886183791f
#define M_2_PI_F 0.636619772367581f
#define M_2_SQRTPI_F 1.128379167095513f
#define M_SQRT2_F 1.414213562373095f
#define M_SQRT1_2_F 0.707106781186548f
#define M_E 2.718281828459045
#define M_LOG2E 1.442695040888963
#define M_LOG10E 0.434294481903252
#define M_LN2 0.693147180559945
#define M_LN10 2.302585092994046
#define M_PI 3.141592653589793
#define M_PI_2 1.570796326794897
#define M_PI_4 0.785398163397448
#define M_1_PI 0.318309886183791
#define M_2_PI 0.636619772367581
#define M_2_SQRTPI 1.128379167095513
#define M_SQRT2 1.414213562373095
#define M_SQRT1_2 0.707106781186548
