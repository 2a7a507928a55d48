// A lock for blocks of one thread. Who waits needs the holder to go on, which OBE promises, as the
// holder has started. The fences keep the work inside.
// headway: kernel count grid 2 block 1 buffer lock=1:zero, counter=1:zero
// headway: expect safe, verified, pass OBE, fail HSA, fail unfair
__global__ void count(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicExch(lock, 0);
}
