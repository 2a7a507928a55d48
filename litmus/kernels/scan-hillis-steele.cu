// Inclusive scan: every thread adds the sum that stands a distance before it, which doubles. Two
// barriers a level: all have read before anyone writes, and all have written before anyone reads.
// Hillis and Steele, 1986.
// headway: kernel scan grid 1 block 4 buffer in=4, out=4
// headway: expect safe, verified, pass unfair
__global__ void scan(const int* in, int* out) {
  __shared__ int sums[4];
  int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int distance = 1; distance < 4; distance *= 2) {
    int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  out[t] = sums[t];
}
