// The same with blocks that draw their place from a counter: who has drawn is running, and so is
// everyone before. That is what occupancy-bound execution promises to keep running.
// headway: kernel scan grid 3 block 2 buffer in=6, out=6
// headway: expect safe, verified, pass OBE, fail HSA, pass fair
__device__ int sums[3];  // of all blocks up to this one
__device__ int ready[3];
__device__ int next;
__global__ void scan(const int* in, int* out) {
  __shared__ int before, block;
  if (threadIdx.x == 0) {
    block = atomicAdd(&next, 1);
    int sum = 0;
    if (block > 0) {
      while (atomicAdd(&ready[block - 1], 0) == 0) {
      }
      __threadfence();
      sum = sums[block - 1];
    }
    before = sum;
    sums[block] = sum + in[2 * block] + in[2 * block + 1];
    __threadfence();
    atomicExch(&ready[block], 1);
  }
  __syncthreads();
  int own = threadIdx.x == 0 ? in[2 * block] : in[2 * block] + in[2 * block + 1];
  out[2 * block + threadIdx.x] = before + own;
}
