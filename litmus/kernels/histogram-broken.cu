// Broken: a plain addition, which loses counts where two threads meet one number.
// headway: kernel count grid 2 block 4 buffer in=8:unknown(0..3), bins=4:zero
// headway: expect error race, violated race
__global__ void count(const int* in, int* bins) {
  __shared__ int own[4];
  int t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  own[in[blockIdx.x * 4 + t] & 3] += 1;
  __syncthreads();
  atomicAdd(&bins[t], own[t]);
}
