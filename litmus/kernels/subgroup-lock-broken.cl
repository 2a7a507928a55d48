// Broken where work-items run in lockstep: who has the lock leaves the loop, and waits there for
// the others, who wait for the lock. Nothing is promised among the work-items of a subgroup there.
// headway: kernel count grid 1 block 2 subgroup 2 buffer lock=1:zero, counter=1:zero
// headway: verify --lockstep
// headway: expect violated termination, pass OBE, fail lockstep
kernel void count(global int *lock, global int *counter) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *counter += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}
