// As meaning.cu: what each argument of what synchronizes means, in OpenCL C.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define FLAGGED(...) uint i = get_local_id(0); if (i > 0) return; if (get_group_id(0) == 0) { *data = 42; __VA_ARGS__ }

// ---- Flags of barriers, and their scopes.
kernel void ok_barrier_global(global int *g, global int *o) { uint i = get_global_id(0); g[i] = i; barrier(CLK_GLOBAL_MEM_FENCE); o[i] = g[i ^ 1]; }
kernel void race_barrier_local(global int *g, global int *o) { uint i = get_global_id(0); g[i] = i; barrier(CLK_LOCAL_MEM_FENCE); o[i] = g[i ^ 1]; }
kernel void ok_sub_barrier_global(global int *g, global int *o) { uint i = get_global_id(0); g[i] = i; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); o[i] = g[i ^ 1]; }
kernel void race_sub_barrier_local(global int *g, global int *o) { uint i = get_global_id(0); g[i] = i; sub_group_barrier(CLK_LOCAL_MEM_FENCE); o[i] = g[i ^ 1]; }
kernel void race_sub_barrier_global(global int *o) { local int s[32]; uint i = get_local_id(0); s[i] = i; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); o[get_global_id(0)] = s[i ^ 1]; }
kernel void ok_sub_barrier_scope(global int *g, global int *o) { uint i = get_global_id(0); g[i] = i; sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group); o[i] = g[i ^ 1]; }
// What the barrier releases to the device, an atomic access of another work-item publishes.
kernel void ok_barrier_of_device(global int *data, global atomic_int *flag, global int *out) { if (get_group_id(0) == 0) { if (get_local_id(0) == 1) *data = 42; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); if (get_local_id(0) == 0) atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device); } else if (get_local_id(0) == 0 && atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) *out = *data; }
kernel void race_barrier_of_group(global int *data, global atomic_int *flag, global int *out) { if (get_group_id(0) == 0) { if (get_local_id(0) == 1) *data = 42; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group); if (get_local_id(0) == 0) atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device); } else if (get_local_id(0) == 0 && atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) *out = *data; }

// ---- Collectives, which order no memory.
kernel void race_collective_all(global int *o, int n) { local int s[32]; uint i = get_local_id(0); s[i] = i; int all = work_group_all(n > 0); o[get_global_id(0)] = s[i ^ 1] + all; }
kernel void race_collective_any(global int *o, int n) { local int s[32]; uint i = get_local_id(0); s[i] = i; int any = work_group_any(n > 0); o[get_global_id(0)] = s[i ^ 1] + any; }
kernel void race_collective_sum(global int *o, int n) { local int s[32]; uint i = get_local_id(0); s[i] = i; int sum = work_group_reduce_add(n); o[get_global_id(0)] = s[i ^ 1] + sum; }
kernel void race_collective_broadcast(global int *o, int n) { local int s[32]; uint i = get_local_id(0); s[i] = i; int all = work_group_broadcast(n, 0); o[get_global_id(0)] = s[i ^ 1] + all; }
kernel void ok_collective_and_barrier(global int *o, int n) { local int s[32]; uint i = get_local_id(0); s[i] = i; int all = work_group_all(n > 0); barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = s[i ^ 1] + all; }
kernel void ok_broadcast_from(global int *o) { assert(work_group_broadcast((int)get_local_id(0), 5) == 5); }
kernel void assert_broadcast_from(global int *o) { assert(work_group_broadcast((int)get_local_id(0), 6) == 5); }

// ---- Orders, and which memory they are about.
kernel void ok_exchange_fails_acquiring(global int *data, global atomic_int *flag, global int *out) { FLAGGED(atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);) else { int e = 5; if (!atomic_compare_exchange_strong_explicit(flag, &e, 6, memory_order_acquire, memory_order_acquire, memory_scope_device) && e == 1) *out = *data; } }
kernel void race_exchange_fails_relaxed(global int *data, global atomic_int *flag, global int *out) { FLAGGED(atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);) else { int e = 5; if (!atomic_compare_exchange_strong_explicit(flag, &e, 6, memory_order_acquire, memory_order_relaxed, memory_scope_device) && e == 1) *out = *data; } }
kernel void ok_fence_flags(global int *data, global atomic_int *flag, global int *out) { FLAGGED(atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device); atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);) else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) *out = *data; }
kernel void race_fence_flags(global int *data, global atomic_int *flag, global int *out) { FLAGGED(atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device); atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);) else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) *out = *data; }
kernel void race_fence_order(global int *data, global atomic_int *flag, global int *out) { FLAGGED(atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device); atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);) else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) *out = *data; }
kernel void race_fence_scope(global int *data, global atomic_int *flag, global int *out) { FLAGGED(atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group); atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);) else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) *out = *data; }
// An atomic access orders memory of the kind that it is in.
#define HANDED_ON(memory, stores, loads) local atomic_int f; memory; uint i = get_local_id(0); if (i == 0) { atomic_init(&f, 0); } barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); if (i == 0) { *data = 42; stores; } else if (i == 1 && loads == 1) { out[get_group_id(0)] = *data; }
kernel void ok_local_flag_local_data(global int *out) { local int s; HANDED_ON(local int *data = &s, atomic_store_explicit(&f, 1, memory_order_release, memory_scope_work_group), atomic_load_explicit(&f, memory_order_acquire, memory_scope_work_group)) }
kernel void race_local_flag_global_data(global int *g, global int *out) { HANDED_ON(global int *data = g + get_group_id(0), atomic_store_explicit(&f, 1, memory_order_release, memory_scope_work_group), atomic_load_explicit(&f, memory_order_acquire, memory_scope_work_group)) }
kernel void ok_local_flag_sequential(global int *g, global int *out) { HANDED_ON(global int *data = g + get_group_id(0), atomic_store_explicit(&f, 1, memory_order_seq_cst, memory_scope_work_group), atomic_load_explicit(&f, memory_order_seq_cst, memory_scope_work_group)) }
#define RELEASE(flags) atomic_work_item_fence(flags, memory_order_release, memory_scope_work_group); atomic_store_explicit(&f, 1, memory_order_relaxed, memory_scope_work_group)
int seen(local atomic_int *f) { int v = atomic_load_explicit(f, memory_order_relaxed, memory_scope_work_group); atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group); return v; }
kernel void ok_local_flag_fences_of_both(global int *g, global int *out) { HANDED_ON(global int *data = g + get_group_id(0), RELEASE(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE), seen(&f)) }
kernel void race_local_flag_fence_of_local(global int *g, global int *out) { HANDED_ON(global int *data = g + get_group_id(0), RELEASE(CLK_LOCAL_MEM_FENCE), seen(&f)) }
kernel void race_local_flag_fence_of_global(global int *g, global int *out) { HANDED_ON(global int *data = g + get_group_id(0), RELEASE(CLK_GLOBAL_MEM_FENCE), seen(&f)) }
kernel void race_global_flag_local_data(global atomic_int *flag, global int *out) { local int s; if (get_local_id(0) == 0) { s = 1; atomic_store_explicit(flag + get_group_id(0), 1, memory_order_release, memory_scope_work_group); } else if (get_local_id(0) == 1 && atomic_load_explicit(flag + get_group_id(0), memory_order_acquire, memory_scope_work_group) == 1) out[get_group_id(0)] = s; }

// ---- Copies: all work-items name the same places, lengths and events.
kernel void ok_copy(global int *g, global int *o) { local int s[32]; event_t e = async_work_group_copy(s, g, 32, 0); wait_group_events(1, &e); o[get_global_id(0)] = s[0]; }
kernel void race_copy_not_waited_for(global int *g, global int *o) { local int s[32], t[32]; event_t e = async_work_group_copy(s, g, 32, 0); event_t f = async_work_group_copy(t, g, 32, 0); wait_group_events(1, &e); o[get_global_id(0)] = t[0]; }
kernel void ok_copies_of_one_event(global int *g, global int *o) { local int s[32], t[32]; event_t e = async_work_group_copy(s, g, 32, 0); e = async_work_group_copy(t, g, 32, e); wait_group_events(1, &e); o[get_global_id(0)] = t[0] + s[0]; }
kernel void race_wait_for_one_of_two(global int *g, global int *o) { local int s[32], t[32]; event_t e[2]; e[0] = async_work_group_copy(s, g, 32, 0); e[1] = async_work_group_copy(t, g, 32, 0); wait_group_events(1, e); o[get_global_id(0)] = t[0]; }
kernel void div_events_of_threads(global int *g, global int *o) { local int s[32], t[32]; event_t a = async_work_group_copy(s, g, 32, 0); event_t b = async_work_group_copy(t, g, 32, 0); event_t e = get_local_id(0) & 1 ? a : b; wait_group_events(1, &e); o[get_global_id(0)] = get_local_id(0) & 1 ? s[0] : t[0]; }
kernel void div_copy_event_of_threads(global int *g, global int *o) { local int s[32], t[32]; event_t a = async_work_group_copy(s, g, 32, 0); event_t b = async_work_group_copy(t, g, 32, get_local_id(0) & 1 ? a : 0); wait_group_events(1, &a); wait_group_events(1, &b); o[get_global_id(0)] = s[0] + t[0]; }
kernel void div_copy_length_of_threads(global int *g, global int *o) { local int s[64]; event_t e = async_work_group_copy(s, g, 8 + get_local_id(0), 0); wait_group_events(1, &e); o[get_global_id(0)] = s[0]; }
kernel void race_copy_stride(global int *g, global int *o) { local int s[64]; if (get_local_id(0) == 0) g[4] = 1; event_t e = async_work_group_strided_copy(s, g, 3, 2, 0); wait_group_events(1, &e); o[get_global_id(0)] = s[0]; }
// ---- Flags that are chosen as the kernel runs.
kernel void ok_flags_chosen(global int* a, int c) { local int s[32]; s[get_local_id(0)] = 1 + get_local_id(0); barrier(c ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = s[get_local_id(0) ^ 1]; }
kernel void race_flags_chosen(global int* a, int c) { local int s[32]; s[get_local_id(0)] = 1 + get_local_id(0); barrier(c ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = s[get_local_id(0) ^ 1]; }
kernel void div_flags_chosen(global int* a, int c) { barrier(get_local_id(0) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = 1; }
kernel void ok_flags_chosen_in_rounds(global int* a, int c) { local int s[32]; int r = get_local_id(0); for (int i = 0; i < 3; i++) { s[get_local_id(0)] = r; barrier(c ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); r = s[get_local_id(0) ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); } a[get_global_id(0)] = r; }
kernel void race_flags_chosen_in_rounds(global int* a, int c) { local int s[32]; int r = get_local_id(0); for (int i = 0; i < 3; i++) { s[get_local_id(0)] = r; barrier(CLK_LOCAL_MEM_FENCE); r = s[get_local_id(0) ^ 1]; barrier(i == c ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE); } a[get_global_id(0)] = r; }
