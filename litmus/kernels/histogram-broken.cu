// Broken: a plain addition, which loses counts where two threads meet one number.
// headway: kernel count grid 2 block 2 buffer in={0,1,1,1}, bins=2:zero
// headway: expect error race, violated race
__global__ void count(const int* in, int* bins) {
  __shared__ int own[2];
  int t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  own[in[blockIdx.x * 2 + t] & 1] += 1;
  __syncthreads();
  atomicAdd(&bins[t], own[t]);
}
