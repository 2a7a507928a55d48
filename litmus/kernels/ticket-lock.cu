// First come, first served. Whoever is waited for has drawn a ticket, and so has started.
// headway: kernel count grid 3 block 1 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: verify -m OBE
// headway: expect safe, verified, pass OBE, fail HSA
__global__ void count(int* next, int* serving, int* counter) {
  int ticket = atomicAdd(next, 1);
  while (atomicAdd(serving, 0) != ticket) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicAdd(serving, 1);
}
