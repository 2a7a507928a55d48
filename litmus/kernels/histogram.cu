// A block counts in shared memory, and adds its counts to those of the others. Several threads may
// meet one number, so both additions are atomic.
// headway: kernel count grid 2 block 4 buffer in=8:unknown(0..3), bins=4:zero
// headway: expect safe, pass unfair
__global__ void count(const int* in, int* bins) {
  __shared__ int own[4];
  int t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  atomicAdd(&own[in[blockIdx.x * 4 + t] & 3], 1);
  __syncthreads();
  atomicAdd(&bins[t], own[t]);
}
