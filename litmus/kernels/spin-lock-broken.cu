// Broken: no fences. The lock is taken and released with relaxed accesses, which order nothing.
// headway: kernel count grid 2 block 1 buffer lock=1:zero, counter=1:zero
// headway: expect error race, violated race
__global__ void count(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter += 1;
  atomicExch(lock, 0);
}
