// Broken: the block's id stands for a ticket. Blocks wait for lower ids then, of which not all need
// have started: OBE is not enough any more, while HSA is.
// headway: kernel count grid 3 block 1 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: verify -m OBE
// headway: expect violated termination, fail OBE, pass HSA
__global__ void count(int* next, int* serving, int* counter) {
  int ticket = blockIdx.x;
  while (atomicAdd(serving, 0) != ticket) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicAdd(serving, 1);
}
