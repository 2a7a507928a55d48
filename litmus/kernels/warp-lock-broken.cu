// Broken where threads run in lockstep: who has the lock leaves the loop, and waits there for the
// others, who wait for the lock. Nothing is promised among the threads of a subgroup there.
// headway: kernel count grid 1 block 2 subgroup 2 buffer lock=1:zero, counter=1:zero
// headway: verify --lockstep
// headway: expect violated termination, pass OBE, fail lockstep
__global__ void count(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicExch(lock, 0);
}
