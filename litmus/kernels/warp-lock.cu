// A lock for the threads of a warp. Each tries, works and releases in one turn of the loop, so that
// even threads in lockstep leave nobody behind with the lock.
// headway: kernel count grid 1 block 2 subgroup 2 buffer lock=1:zero, counter=1:zero
// headway: verify --lockstep
// headway: expect safe, verified, pass OBE
__global__ void count(int* lock, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *counter += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
