// Broken: the leader signs on before its block has gathered, for writes that are yet to come.
// headway: kernel meet grid 2 block 2 buffer data=4, out=4, arrived=1:zero
// headway: expect error race, violated race
__global__ void meet(int* data, int* out, int* arrived) {
  int i = blockIdx.x * 2 + threadIdx.x;
  data[i] = i;
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
