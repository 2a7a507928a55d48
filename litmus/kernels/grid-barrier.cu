// A barrier of all blocks as a loop of their first threads. All blocks have to run at one time,
// which only a fair model promises. The first barrier gathers a block before its leader signs on.
// headway: kernel meet grid 2 block 2 buffer data=4, out=4, arrived=1:zero
// headway: expect safe, verified, fail OBE, fail HSA, pass fair
__global__ void meet(int* data, int* out, int* arrived) {
  int i = blockIdx.x * 2 + threadIdx.x;
  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[3 - i];
}
