// A lock for work-groups of one work-item, with acquire and release.
// headway: kernel count grid 2 block 1 buffer lock=1:zero, counter=1:zero
// headway: expect safe, verified, pass OBE, fail HSA, fail unfair
kernel void count(global atomic_int *lock, global int *counter) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed, memory_scope_device)) {
    expected = 0;
  }
  *counter += 1;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
