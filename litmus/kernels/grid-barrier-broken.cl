// Broken: it waits for one more than there are, for ever.
// headway: kernel meet grid 2 block 2 buffer data=4, out=4, arrived=1:zero
// headway: expect violated termination, fail fair
kernel void meet(global int *data, global int *out, global atomic_int *arrived) {
  int i = get_global_id(0);
  data[i] = i;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel, memory_scope_device);
    while (atomic_load_explicit(arrived, memory_order_acquire, memory_scope_device) <
           (int)get_num_groups(0) + 1) {
    }
  }
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  out[i] = data[3 - i];
}
