// Broken: no fences. The flag may be seen before the sum, and the sum may be read before the flag.
// headway: kernel scan grid 3 block 2 buffer in=6, out=6
// headway: expect error race, violated race
__device__ int sums[3];  // of all blocks up to this one
__device__ int ready[3];

__global__ void scan(const int* in, int* out) {
  __shared__ int before, block;
  if (threadIdx.x == 0) {
    block = blockIdx.x;
    int sum = 0;
    if (block > 0) {
      while (atomicAdd(&ready[block - 1], 0) == 0) {
      }
      sum = sums[block - 1];
    }
    before = sum;
    sums[block] = sum + in[2 * block] + in[2 * block + 1];
    atomicExch(&ready[block], 1);
  }
  __syncthreads();
  int own = threadIdx.x == 0 ? in[2 * block] : in[2 * block] + in[2 * block + 1];
  out[2 * block + threadIdx.x] = before + own;
}
