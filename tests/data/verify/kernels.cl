// Kernels whose names begin with the answer, as in kernels.cu: what only OpenCL has.
kernel void ok_async(global float* p, local float* q) { event_t e = async_work_group_copy(q, p + get_group_id(0) * 64, 64, 0); wait_group_events(1, &e); p[get_global_id(0) + 4096] = q[63 - get_local_id(0)]; }
kernel void race_async_early(global float* p, local float* q) { event_t e = async_work_group_copy(q, p + get_group_id(0) * 64, 64, 0); p[get_global_id(0) + 4096] = q[get_local_id(0)]; wait_group_events(1, &e); }
kernel void race_async_barrier(global float* p, local float* q) { event_t e = async_work_group_copy(q, p + get_group_id(0) * 64, 64, 0); barrier(CLK_LOCAL_MEM_FENCE); q[get_local_id(0)] = 1; wait_group_events(1, &e); }
kernel void race_async_source(global float* p, local float* q) { q[get_local_id(0)] = get_local_id(0); event_t e = async_work_group_copy(p + get_group_id(0) * 64, q, 64, 0); wait_group_events(1, &e); }
kernel void ok_async_back(global float* p, local float* q) { q[get_local_id(0)] = get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(p + get_group_id(0) * 64, q, 64, 0); wait_group_events(1, &e); }
kernel void race_async_groups(global float* p, local float* q) { q[get_local_id(0)] = get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(p, q, 64, 0); wait_group_events(1, &e); }
kernel void race_async_other_event(global float* p, local float* q, local float* r) { event_t e = async_work_group_copy(q, p, 64, 0); event_t f = async_work_group_copy(r, p, 64, 0); wait_group_events(1, &f); q[get_local_id(0)] = 1; wait_group_events(1, &e); }
kernel void ok_async_two(global float* p, local float* q, local float* r) { event_t e[2]; e[0] = async_work_group_copy(q, p, 64, 0); e[1] = async_work_group_copy(r, p, 64, 0); wait_group_events(2, e); q[get_local_id(0)] = r[0]; }
kernel void div_async(global float* p, local float* q) { if (get_local_id(0) < 5) { event_t e = async_work_group_copy(q, p, 64, 0); wait_group_events(1, &e); } }
kernel void ok_async_rounds(global const float* o, global float* p, local float* q, int n) { for (int i = 0; i < n; i++) { event_t e = async_work_group_copy(q, o + i * 64, 64, 0); wait_group_events(1, &e); float x = q[63 - get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = x; } }
kernel void race_async_rounds(global float* p, local float* q, int n) { for (int i = 0; i < n; i++) { event_t e = async_work_group_copy(q, p + i * 64, 64, 0); wait_group_events(1, &e); q[get_local_id(0)] = i; } }
// What authors say, in C.
int half_of(int x) { __ensures(__return_val_int() <= __old_int(x)); x = x / 2; return x; }
int twice_of(int x) { __ensures(__return_val_int() <= x); return 2 * x; }
kernel void ok_ensures(global int* a) { a[get_global_id(0)] = half_of(get_local_id(0)); }
kernel void fail_ensures(global int* a) { a[get_global_id(0)] = twice_of(get_local_id(0)); }
kernel void ok_barrier_claim(global int* a, local int* s) { int t = get_local_id(0); s[t] = 63 - t; __barrier_invariant_1(s[t] == 63 - t, t); barrier(CLK_LOCAL_MEM_FENCE); a[get_group_id(0) * 64 + s[t]] = t; }
kernel void fail_barrier_claim(global int* a, local int* s) { int t = get_local_id(0); s[t] = 62 - t; __barrier_invariant(s[t] == 63 - t, t); barrier(CLK_LOCAL_MEM_FENCE); a[get_group_id(0) * 64 + s[t]] = t; }
kernel void race_barrier_claim(global int* a, local int* s) { int t = get_local_id(0); s[t] = 63 - t; __barrier_invariant(s[t] == 63 - t, t); barrier(CLK_LOCAL_MEM_FENCE); a[get_group_id(0) * 64 + s[t ^ 1]] = t; }
kernel void ok_barrier_pairs(global int* a, local int* s) { int t = get_local_id(0); s[t] = 63 - t; __barrier_invariant_binary_1(t == __other_int(t) | s[t] != __other_int(s[t]), t, t + 1); barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = s[63 - t]; }
kernel void fail_barrier_pairs(global int* a, local int* s) { int t = get_local_id(0); s[t] = t / 2; __barrier_invariant_binary_1(t == __other_int(t) | s[t] != __other_int(s[t]), t, t + 1); barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = s[63 - t]; }

// Atomic for a subgroup alone.
kernel void ok_scope_of_subgroup(global atomic_int *a) { atomic_fetch_add_explicit(a + 2 * get_group_id(0) + get_sub_group_id(), 1, memory_order_relaxed, memory_scope_sub_group); }
kernel void race_scope_of_subgroup(global atomic_int *a) { atomic_fetch_add_explicit(a + get_group_id(0), 1, memory_order_relaxed, memory_scope_sub_group); }
// Rows of an argument, which barriers of local memory do not order: rounds in which much is done are gone through one by one.
kernel void ok_rows_scanned(global int* a, int n) { __requires(n > 0 && n <= 64); local int s[64]; local int sum; int t = get_local_id(0); if (get_group_id(0) > 0) return; for (int r = 0; r < 12; r++) { s[t] = t < n ? a[n * r + t] : 0; for (int d = 1; d < 64; d *= 2) { barrier(CLK_LOCAL_MEM_FENCE); int v = t < d ? 0 : s[t - d]; barrier(CLK_LOCAL_MEM_FENCE); s[t] += v; } if (t == 63) sum = s[t]; barrier(CLK_LOCAL_MEM_FENCE); if (t < n) a[n * r + t] = s[t] + sum; barrier(CLK_LOCAL_MEM_FENCE); } }
kernel void race_rows_scanned(global int* a, int n) { __requires(n > 0 && n <= 64); local int s[64]; local int sum; int t = get_local_id(0); if (get_group_id(0) > 0) return; for (int r = 0; r < 12; r++) { s[t] = t < n ? a[n * r + t] : 0; for (int d = 1; d < 64; d *= 2) { barrier(CLK_LOCAL_MEM_FENCE); int v = t < d ? 0 : s[t - d]; barrier(CLK_LOCAL_MEM_FENCE); s[t] += v; } if (t == 63) sum = s[t]; if (t < n) a[n * r + t] = s[t] + sum; barrier(CLK_LOCAL_MEM_FENCE); } }
