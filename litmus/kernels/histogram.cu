// A block counts in shared memory, and adds its counts to those of the others. Several threads may
// meet one number, so both additions are atomic.
// headway: kernel count grid 2 block 2 buffer in={0,1,1,1}, bins=2:zero
// headway: expect safe, verified, pass unfair
__global__ void count(const int* in, int* bins) {
  __shared__ int own[2];
  int t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  atomicAdd(&own[in[blockIdx.x * 2 + t] & 1], 1);
  __syncthreads();
  atomicAdd(&bins[t], own[t]);
}
