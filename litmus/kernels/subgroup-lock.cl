// A lock for the work-items of a subgroup. Each tries, works and releases in one turn of the loop,
// so that even work-items in lockstep leave nobody behind with the lock.
// headway: kernel count grid 1 block 2 subgroup 2 buffer lock=1:zero, counter=1:zero
// headway: verify --lockstep
// headway: expect safe, verified, pass OBE
kernel void count(global int *lock, global int *counter) {
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      *counter += 1;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
      done = true;
    }
  }
}
