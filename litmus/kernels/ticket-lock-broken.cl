// Broken: the ticket is served by a relaxed addition, which publishes nothing.
// headway: kernel count grid 3 block 1 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: expect error race, violated race
kernel void count(global atomic_int *next, global atomic_int *serving, global int *counter) {
  int ticket = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
  while (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) != ticket) {
  }
  *counter += 1;
  atomic_fetch_add_explicit(serving, 1, memory_order_relaxed, memory_scope_device);
}
