// Broken: one barrier a level. A thread may read the sum before it when that has been added to.
// headway: kernel scan grid 1 block 4 buffer in=4, out=4
// headway: expect error race, violated race
__global__ void scan(const int* in, int* out) {
  __shared__ int sums[4];
  int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int distance = 1; distance < 4; distance *= 2) {
    int before = t >= distance ? sums[t - distance] : 0;
    sums[t] += before;
    __syncthreads();
  }
  out[t] = sums[t];
}
