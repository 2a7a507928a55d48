// The intrinsics of LLVM's NVPTX target, which code has that another compiler has made of CUDA:
// `llvm.nvvm.NAME` is called "__headway_nvvm.NAME" before it is linked with these.
#include "headway_cuda.h"

#define __hw_nvvm(T, function, symbol, parameters)                                      \
  extern "C" __device__ T function parameters __asm__("__headway_nvvm." symbol);        \
  extern "C" __device__ __attribute__((always_inline, nodebug)) T function parameters

// ---- Where a thread is

__hw_nvvm(unsigned, __hw_tid_x, "read.ptx.sreg.tid.x", ()) { return __headway_thread_id(0); }
__hw_nvvm(unsigned, __hw_tid_y, "read.ptx.sreg.tid.y", ()) { return __headway_thread_id(1); }
__hw_nvvm(unsigned, __hw_tid_z, "read.ptx.sreg.tid.z", ()) { return __headway_thread_id(2); }
__hw_nvvm(unsigned, __hw_ntid_x, "read.ptx.sreg.ntid.x", ()) { return __headway_group_size(0); }
__hw_nvvm(unsigned, __hw_ntid_y, "read.ptx.sreg.ntid.y", ()) { return __headway_group_size(1); }
__hw_nvvm(unsigned, __hw_ntid_z, "read.ptx.sreg.ntid.z", ()) { return __headway_group_size(2); }
__hw_nvvm(unsigned, __hw_ctaid_x, "read.ptx.sreg.ctaid.x", ()) { return __headway_group_id(0); }
__hw_nvvm(unsigned, __hw_ctaid_y, "read.ptx.sreg.ctaid.y", ()) { return __headway_group_id(1); }
__hw_nvvm(unsigned, __hw_ctaid_z, "read.ptx.sreg.ctaid.z", ()) { return __headway_group_id(2); }
__hw_nvvm(unsigned, __hw_nctaid_x, "read.ptx.sreg.nctaid.x", ()) { return __headway_groups(0); }
__hw_nvvm(unsigned, __hw_nctaid_y, "read.ptx.sreg.nctaid.y", ()) { return __headway_groups(1); }
__hw_nvvm(unsigned, __hw_nctaid_z, "read.ptx.sreg.nctaid.z", ()) { return __headway_groups(2); }
__hw_nvvm(unsigned, __hw_laneid, "read.ptx.sreg.laneid", ()) { return __headway_lane(); }
__hw_nvvm(unsigned, __hw_warpsize, "read.ptx.sreg.warpsize", ()) { return __headway_subgroup_size(); }
__hw_nvvm(unsigned, __hw_smid, "read.ptx.sreg.smid", ()) { return __headway_unknown_u32(); }
__hw_nvvm(unsigned, __hw_clock, "read.ptx.sreg.clock", ()) { return __headway_unknown_u32(); }
__hw_nvvm(unsigned long long, __hw_clock64, "read.ptx.sreg.clock64", ()) {
  return __headway_unknown_u64();
}
__hw_nvvm(unsigned long long, __hw_globaltimer, "read.ptx.sreg.globaltimer", ()) {
  return __headway_unknown_u64();
}
__hw_nvvm(void, __hw_sleep, "nanosleep", (unsigned)) {}

// ---- Barriers and fences

__hw_nvvm(void, __hw_barrier0, "barrier0", ()) { __headway_barrier(2, 3); }
__hw_nvvm(int, __hw_barrier0_popc, "barrier0.popc", (int p)) { return __headway_barrier_reduce(0, p); }
__hw_nvvm(int, __hw_barrier0_and, "barrier0.and", (int p)) { return __headway_barrier_reduce(1, p); }
__hw_nvvm(int, __hw_barrier0_or, "barrier0.or", (int p)) { return __headway_barrier_reduce(2, p); }
__hw_nvvm(void, __hw_barrier_n, "barrier.n", (unsigned id)) { __barrier_sync(id); }
__hw_nvvm(void, __hw_bar_sync, "bar.sync", (unsigned id)) { __barrier_sync(id); }
__hw_nvvm(void, __hw_barrier_sync, "barrier.sync", (unsigned id)) { __barrier_sync(id); }
__hw_nvvm(void, __hw_barrier, "barrier", (unsigned id, unsigned n)) { __barrier_sync_count(id, n); }
__hw_nvvm(void, __hw_barrier_sync_cnt, "barrier.sync.cnt", (unsigned id, unsigned n)) {
  __barrier_sync_count(id, n);
}
__hw_nvvm(void, __hw_warp_sync, "bar.warp.sync", (unsigned mask)) {
  __headway_subgroup_barrier(mask, 3);
}
__hw_nvvm(void, __hw_membar_cta, "membar.cta", ()) { __threadfence_block(); }
__hw_nvvm(void, __hw_membar_gl, "membar.gl", ()) { __threadfence(); }
__hw_nvvm(void, __hw_membar_sys, "membar.sys", ()) { __threadfence_system(); }

// ---- Warps

__hw_nvvm(bool, __hw_vote_all, "vote.all.sync", (unsigned mask, bool p)) { return __all_sync(mask, p); }
__hw_nvvm(bool, __hw_vote_any, "vote.any.sync", (unsigned mask, bool p)) { return __any_sync(mask, p); }
__hw_nvvm(bool, __hw_vote_uni, "vote.uni.sync", (unsigned mask, bool p)) { return __uni_sync(mask, p); }
__hw_nvvm(unsigned, __hw_vote_ballot, "vote.ballot.sync", (unsigned mask, bool p)) {
  return __ballot_sync(mask, p);
}
__hw_nvvm(unsigned, __hw_activemask, "activemask", ()) { return __activemask(); }
__hw_nvvm(unsigned, __hw_match_32, "match.any.sync.i32", (unsigned mask, unsigned value)) {
  return __match_any_sync(mask, value);
}
__hw_nvvm(unsigned, __hw_match_64, "match.any.sync.i64", (unsigned mask, unsigned long long value)) {
  return __match_any_sync(mask, value);
}
// The last operand has the width in its second byte: 32 less it.
#define __hw_nvvm_shuffle(way, mode)                                                             \
  __hw_nvvm(unsigned, __hw_shuffle_##way, "shfl.sync." #way ".i32",                              \
            (unsigned mask, unsigned value, unsigned lane, unsigned packed)) {                   \
    return __headway_shuffle_u32(mode, mask, value, lane & 31, 32 - (packed >> 8 & 31));         \
  }                                                                                              \
  __hw_nvvm(float, __hw_shuffle_real_##way, "shfl.sync." #way ".f32",                            \
            (unsigned mask, float value, unsigned lane, unsigned packed)) {                      \
    return __hw_bits<float>(__headway_shuffle_u32(mode, mask, __hw_bits<unsigned>(value),        \
                                                  lane & 31, 32 - (packed >> 8 & 31)));          \
  }
__hw_nvvm_shuffle(idx, 0)
__hw_nvvm_shuffle(up, 1)
__hw_nvvm_shuffle(down, 2)
__hw_nvvm_shuffle(bfly, 3)
#define __hw_nvvm_reduce(name, op)                                                 \
  __hw_nvvm(unsigned, __hw_reduce_##name, "redux.sync." #name, (unsigned value, unsigned mask)) { \
    return __headway_subgroup_reduce_u32(op, 0, mask, value);                      \
  }
__hw_nvvm_reduce(add, __hw_add)
__hw_nvvm_reduce(min, __hw_smin)
__hw_nvvm_reduce(max, __hw_smax)
__hw_nvvm_reduce(umin, __hw_umin)
__hw_nvvm_reduce(umax, __hw_umax)
__hw_nvvm_reduce(and, __hw_and)
__hw_nvvm_reduce(or, __hw_or)
__hw_nvvm_reduce(xor, __hw_xor)

// ---- Memory, by generic pointers, and by those to global and shared memory

#define __hw_nvvm_updates(space, at, p)                                                           \
  __hw_nvvm(unsigned, __hw_inc_##p, "atomic.load.inc.32." #p, (space unsigned* a, unsigned v)) {  \
    return __headway_atomic_u32(__hw_wrap_inc, at, v, 0, __hw_relaxed, __hw_of_device);           \
  }                                                                                               \
  __hw_nvvm(unsigned, __hw_dec_##p, "atomic.load.dec.32." #p, (space unsigned* a, unsigned v)) {  \
    return __headway_atomic_u32(__hw_wrap_dec, at, v, 0, __hw_relaxed, __hw_of_device);           \
  }                                                                                               \
  __hw_nvvm(unsigned, __hw_ldg_##p, "ldg.global.i.i32." #p, (space unsigned* a, unsigned)) {      \
    return *a;                                                                                    \
  }                                                                                               \
  __hw_nvvm(float, __hw_ldg_real_##p, "ldg.global.f.f32." #p, (space float* a, unsigned)) {       \
    return *a;                                                                                    \
  }                                                                                               \
  __hw_nvvm_scoped(space, at, p, add, __hw_add) __hw_nvvm_scoped(space, at, p, and, __hw_and)     \
  __hw_nvvm_scoped(space, at, p, or, __hw_or) __hw_nvvm_scoped(space, at, p, xor, __hw_xor)       \
  __hw_nvvm_scoped(space, at, p, min, __hw_smin) __hw_nvvm_scoped(space, at, p, max, __hw_smax)   \
  __hw_nvvm_scoped(space, at, p, exch, __hw_exchange)
#define __hw_nvvm_scoped(space, at, p, name, op)                                                  \
  __hw_nvvm(unsigned, __hw_cta_##name##_##p, "atomic." #name ".gen.i.cta.i32." #p,                \
            (space unsigned* a, unsigned v)) {                                                    \
    return __headway_atomic_u32(op, at, v, 0, __hw_relaxed, __hw_of_block);                       \
  }                                                                                               \
  __hw_nvvm(unsigned, __hw_sys_##name##_##p, "atomic." #name ".gen.i.sys.i32." #p,                \
            (space unsigned* a, unsigned v)) {                                                    \
    return __headway_atomic_u32(op, at, v, 0, __hw_relaxed, __hw_of_system);                      \
  }
__hw_nvvm_updates(, a, p0)
__hw_nvvm_updates(__attribute__((address_space(1))), (unsigned*)a, p1)
__hw_nvvm_updates(__attribute__((address_space(3))), (unsigned*)a, p3)

// ---- What is no intrinsic, but is called by clang's headers

extern "C" __device__ __attribute__((always_inline, nodebug)) void __assertfail(
    const void*, const void*, unsigned, const void*, unsigned long long) {
  __headway_assert(0);
}
