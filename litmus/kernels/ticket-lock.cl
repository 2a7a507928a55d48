// First come, first served, with orders that make the work of one visible to the next.
// headway: kernel count grid 3 block 1 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: expect safe, verified, pass OBE, fail HSA
kernel void count(global atomic_int *next, global atomic_int *serving, global int *counter) {
  int ticket = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
  while (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) != ticket) {
  }
  *counter += 1;
  atomic_fetch_add_explicit(serving, 1, memory_order_release, memory_scope_device);
}
