// The builtin functions of OpenCL C as code calls them that another compiler has made of it: by
// their mangled names. Linked with such code, so nothing here is a macro or static.
#define __hw_of __attribute__((overloadable, always_inline, nodebug))
#define __HEADWAY_BUILTINS
#include "headway_opencl.h"

#undef barrier
__hw_of void barrier(cl_mem_fence_flags flags) { __headway_barrier(2, (int)flags); }
#undef work_group_barrier
__hw_of void work_group_barrier(cl_mem_fence_flags flags) { __headway_barrier(2, (int)flags); }
__hw_of void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  __headway_scoped_barrier((int)flags, __hw_scope(scope));
}
#undef sub_group_barrier
__hw_of void sub_group_barrier(cl_mem_fence_flags flags) {
  __headway_subgroup_barrier(~0ul, (int)flags);
}
__hw_of void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  __headway_scoped_subgroup_barrier((int)flags, __hw_scope(scope));
}
#undef mem_fence
__hw_of void mem_fence(cl_mem_fence_flags flags) { __headway_fence(3, __hw_fence_scope, (int)flags); }
#undef read_mem_fence
__hw_of void read_mem_fence(cl_mem_fence_flags flags) {
  __headway_fence(1, __hw_fence_scope, (int)flags);
}
#undef write_mem_fence
__hw_of void write_mem_fence(cl_mem_fence_flags flags) {
  __headway_fence(2, __hw_fence_scope, (int)flags);
}
#undef atomic_work_item_fence
__hw_of void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                    memory_scope scope) {
  __headway_fence(__hw_order(order), __hw_scope(scope), (int)flags);
}

// OpenCL C 1.x has no generic pointers: a function for each kind of memory.
#undef __hw_any
#define __hw_any __global
#include "atomics.h"
#undef __hw_any
#define __hw_any __local
#include "atomics.h"

#ifdef __HEADWAY_CONVERT
// Conversions of scalars and vectors. Those that round or saturate are not here.
#define __hw_from(To, From)                                                                  \
  __hw_of To convert_##To(From x) { return (To)x; }                                          \
  __hw_sized(To, From, 2) __hw_sized(To, From, 3) __hw_sized(To, From, 4)                    \
  __hw_sized(To, From, 8) __hw_sized(To, From, 16)
#define __hw_sized(To, From, n) \
  __hw_of To##n convert_##To##n(From##n x) { return __builtin_convertvector(x, To##n); }
#define __hw_to(To)                                                                          \
  __hw_from(To, char) __hw_from(To, uchar) __hw_from(To, short) __hw_from(To, ushort)        \
  __hw_from(To, int) __hw_from(To, uint) __hw_from(To, long) __hw_from(To, ulong)            \
  __hw_from(To, float)
__hw_to(char) __hw_to(uchar) __hw_to(short) __hw_to(ushort)
__hw_to(int) __hw_to(uint) __hw_to(long) __hw_to(ulong) __hw_to(float)
#endif
