// Ids and sizes, barriers, fences, collectives of groups and subgroups, copies.

// A dimension that is no constant is chosen among the three that there are.
#define __hw_id(name, call, beyond)                                                              \
  __hw_of size_t name(uint d) { return d == 0 ? call(0) : d == 1 ? call(1) : d == 2 ? call(2) : beyond; } \
  __hw_of size_t name(uint d) __attribute__((enable_if(d < 3, "a dimension"))) { return call(d); } \
  __hw_of size_t name(uint d) __attribute__((enable_if(d >= 3, "no dimension"))) { return beyond; }
#define __hw_place(d) ((size_t)__headway_group_id(d) * __headway_group_size(d) + __headway_thread_id(d))
#define __hw_global_id(d) (__headway_premise(__hw_no_offset), __hw_place(d))
#define __hw_global_size(d) ((size_t)__headway_groups(d) * __headway_group_size(d))
__hw_id(get_local_id, __headway_thread_id, 0)
__hw_id(get_group_id, __headway_group_id, 0)
__hw_id(get_local_size, __headway_group_size, 1)
__hw_id(get_enqueued_local_size, __headway_group_size, 1)
__hw_id(get_num_groups, __headway_groups, 1)
__hw_id(get_global_id, __hw_global_id, 0)
__hw_id(get_global_size, __hw_global_size, 1)
__hw_of size_t get_global_offset(uint d) {
  __headway_premise(__hw_no_offset);
  return 0;
}
// A launch says its sizes, and not in how many dimensions it was asked for.
__hw_of uint get_work_dim(void) {
  __headway_premise(__hw_dimensions);
  return __hw_global_size(2) > 1 ? 3 : __hw_global_size(1) > 1 ? 2 : 1;
}
__hw_of size_t get_local_linear_id(void) {
  return ((size_t)__headway_thread_id(2) * __headway_group_size(1) + __headway_thread_id(1)) *
             __headway_group_size(0) +
         __headway_thread_id(0);
}
// Counted from the offset, whatever that is.
__hw_of size_t get_global_linear_id(void) {
  return (__hw_place(2) * __hw_global_size(1) + __hw_place(1)) * __hw_global_size(0) +
         __hw_place(0);
}
#undef __hw_id

// Macros, so that the flags of a barrier stay constants.
#define barrier(flags) __headway_barrier(2, (int)(flags))
#define __hw_barrier_1(flags) __headway_barrier(2, (int)(flags))
#define __hw_barrier_2(flags, scope) __headway_scoped_barrier((int)(flags), __hw_scope(scope))
#define __hw_choose_2(a, b, c, ...) c
#define work_group_barrier(...) \
  __hw_choose_2(__VA_ARGS__, __hw_barrier_2, __hw_barrier_1)(__VA_ARGS__)
// OpenCL 1.x speaks of no scope there, 2.0 of the work-group.
#if __OPENCL_C_VERSION__ >= 200
#define __hw_fence_scope 2
#else
#define __hw_fence_scope 3
#endif
#define mem_fence(flags) __headway_fence(3, __hw_fence_scope, (int)(flags))
#define read_mem_fence(flags) __headway_fence(1, __hw_fence_scope, (int)(flags))
#define write_mem_fence(flags) __headway_fence(2, __hw_fence_scope, (int)(flags))
#define atomic_work_item_fence(flags, order, scope) \
  __headway_fence(__hw_order(order), __hw_scope(scope), (int)(flags))

// ---- Subgroups

__hw_of uint get_sub_group_size(void) {
  const uint threads = __headway_group_size(0) * __headway_group_size(1) * __headway_group_size(2);
  const uint before = __headway_subgroup_id() * __headway_subgroup_size();
  const uint left = threads - before;
  return left < __headway_subgroup_size() ? left : __headway_subgroup_size();
}
__hw_of uint get_max_sub_group_size(void) { return __headway_subgroup_size(); }
__hw_of uint get_num_sub_groups(void) { return __headway_subgroups(); }
__hw_of uint get_enqueued_num_sub_groups(void) { return __headway_subgroups(); }
__hw_of uint get_sub_group_id(void) { return __headway_subgroup_id(); }
__hw_of uint get_sub_group_local_id(void) { return __headway_lane(); }
#define __hw_sub_barrier_1(flags) __headway_subgroup_barrier(~0ul, (int)(flags))
#define __hw_sub_barrier_2(flags, scope) \
  __headway_scoped_subgroup_barrier((int)(flags), __hw_scope(scope))
#define sub_group_barrier(...) \
  __hw_choose_2(__VA_ARGS__, __hw_sub_barrier_2, __hw_sub_barrier_1)(__VA_ARGS__)
__hw_of int sub_group_all(int p) { return __headway_vote(0, ~0ul, p); }
__hw_of int sub_group_any(int p) { return __headway_vote(1, ~0ul, p); }
__hw_of int sub_group_elect(void) { return __headway_elect(); }
__hw_of int sub_group_non_uniform_all(int p) { return __headway_vote(0, __headway_active_mask(), p); }
__hw_of int sub_group_non_uniform_any(int p) { return __headway_vote(1, __headway_active_mask(), p); }
__hw_of uint4 sub_group_ballot(int p) {
  const ulong all = __headway_ballot(__headway_active_mask(), p);
  return (uint4)((uint)all, (uint)(all >> 32), 0, 0);
}
__hw_of int sub_group_inverse_ballot(uint4 value) {
  const ulong all = ((ulong)value.y << 32) | value.x;
  return (int)(all >> __headway_lane()) & 1;
}
__hw_of int sub_group_ballot_bit_extract(uint4 value, uint lane) {
  const ulong all = ((ulong)value.y << 32) | value.x;
  return (int)(all >> (lane & 63)) & 1;
}
__hw_of uint sub_group_ballot_bit_count(uint4 value) {
  return (uint)__builtin_popcountl(((ulong)value.y << 32) | value.x);
}
__hw_of uint sub_group_ballot_find_lsb(uint4 value) {
  return (uint)__builtin_ctzg(((ulong)value.y << 32) | value.x, 64);
}

#ifdef __HEADWAY_SUBGROUPS
#define __hw_lanes __headway_subgroup_size()
// From a lane that the subgroup does not have comes nothing in particular.
#define __hw_move(T, W, N, name, mode, from)                                                    \
  __hw_of T name(T x, uint n) {                                                                 \
    const W moved = __headway_shuffle_##N(mode, ~0ul, __builtin_astype(x, W), n, __hw_lanes);   \
    W nothing;                                                                                  \
    const W result = (from) < get_sub_group_size() ? moved : nothing;                           \
    return __builtin_astype(result, T);                                                         \
  }
#define __hw_moves(T, W, N)                                                                     \
  __hw_move(T, W, N, sub_group_broadcast, 0, n)                                                 \
  __hw_move(T, W, N, sub_group_shuffle_up, 1, __headway_lane() - n)                                         \
  __hw_move(T, W, N, sub_group_shuffle_down, 2, __headway_lane() + n)                                       \
  __hw_move(T, W, N, sub_group_shuffle_xor, 3, __headway_lane() ^ n)                                        \
  __hw_of T sub_group_non_uniform_broadcast(T x, uint lane) { return sub_group_broadcast(x, lane); } \
  __hw_of T sub_group_shuffle(T x, uint lane) { return sub_group_broadcast(x, lane); }          \
  __hw_of T intel_sub_group_shuffle(T x, uint lane) { return sub_group_broadcast(x, lane); }    \
  __hw_of T intel_sub_group_shuffle_xor(T x, uint n) { return sub_group_shuffle_xor(x, n); }    \
  __hw_of T sub_group_broadcast_first(T x) {                                                    \
    return sub_group_broadcast(x, (uint)__builtin_ctzg(__headway_active_mask(), 0));            \
  }
#define __hw_reduce(T, W, N, name, op)                                                          \
  __hw_of T sub_group_reduce_##name(T x) {                                                      \
    return __builtin_astype(__headway_subgroup_reduce_##N(op, 0, ~0ul, __builtin_astype(x, W)), T); \
  }                                                                                             \
  __hw_of T sub_group_scan_inclusive_##name(T x) {                                              \
    return __builtin_astype(__headway_subgroup_reduce_##N(op, 1, ~0ul, __builtin_astype(x, W)), T); \
  }                                                                                             \
  __hw_of T sub_group_scan_exclusive_##name(T x) {                                              \
    return __builtin_astype(__headway_subgroup_reduce_##N(op, 2, ~0ul, __builtin_astype(x, W)), T); \
  }                                                                                             \
  __hw_of T work_group_reduce_##name(T x) {                                                     \
    return __builtin_astype(__headway_group_reduce_##N(op, 0, ~0ul, __builtin_astype(x, W)), T);   \
  }                                                                                             \
  __hw_of T work_group_scan_inclusive_##name(T x) {                                             \
    return __builtin_astype(__headway_group_reduce_##N(op, 1, ~0ul, __builtin_astype(x, W)), T);   \
  }                                                                                             \
  __hw_of T work_group_scan_exclusive_##name(T x) {                                             \
    return __builtin_astype(__headway_group_reduce_##N(op, 2, ~0ul, __builtin_astype(x, W)), T);   \
  }
#define __hw_collective(T, W, N, plus, least, most)                                                 \
  __hw_moves(T, W, N)                                                                        \
  __hw_reduce(T, W, N, add, plus) __hw_reduce(T, W, N, min, least) __hw_reduce(T, W, N, max, most)  \
  __hw_of T work_group_broadcast(T x, size_t i) {                                               \
    return __builtin_astype(__headway_group_broadcast_##N(__builtin_astype(x, W), i), T);       \
  }                                                                                             \
  __hw_of T work_group_broadcast(T x, size_t i, size_t j) {                                     \
    return work_group_broadcast(x, i + get_local_size(0) * j);                                  \
  }                                                                                             \
  __hw_of T work_group_broadcast(T x, size_t i, size_t j, size_t k) {                           \
    return work_group_broadcast(x, i, j + get_local_size(1) * k);                               \
  }
__hw_collective(int, uint, u32, __hw_add, __hw_smin, __hw_smax)
__hw_collective(uint, uint, u32, __hw_add, __hw_umin, __hw_umax)
__hw_collective(long, ulong, u64, __hw_add, __hw_smin, __hw_smax)
__hw_collective(ulong, ulong, u64, __hw_add, __hw_umin, __hw_umax)
__hw_collective(float, uint, u32, __hw_fadd, __hw_fmin, __hw_fmax)
#ifdef __HEADWAY_DOUBLE
__hw_collective(double, ulong, u64, __hw_fadd, __hw_fmin, __hw_fmax)
#endif
#undef __hw_collective
#undef __hw_reduce
#undef __hw_moves
__hw_of int work_group_all(int p) { return __headway_group_vote(1, p); }
__hw_of int work_group_any(int p) { return __headway_group_vote(2, p); }
#endif

// ---- Asynchronous copies. An event is a number.

typedef ulong __hw_event;
#define event_t __hw_event
#define __hw_copying(To, From, strided)                                                          \
  __hw_of event_t __hw_copy(To void* to, const From void* from, ulong n, ulong bytes, event_t e) { \
    return __headway_async_copy(to, from, n, bytes, 1, 0, e);                                    \
  }                                                                                              \
  __hw_of event_t __hw_copy_strided(To void* to, const From void* from, ulong n, ulong bytes,    \
                                    ulong stride, event_t e) {                                   \
    return __headway_async_copy(to, from, n, bytes, stride, strided, e);                         \
  }
__hw_copying(__local, __global, 1)
__hw_copying(__global, __local, 2)
#undef __hw_copying
#define async_work_group_copy(to, from, n, event) \
  __hw_copy(to, from, n, sizeof(*(to)), (event_t)(event))
#define async_work_group_strided_copy(to, from, n, stride, event) \
  __hw_copy_strided(to, from, n, sizeof(*(to)), stride, (event_t)(event))
#define wait_group_events(n, events) __headway_wait_events((int)(n), (events))
#define prefetch(p, n) ((void)(p), (void)(n))
