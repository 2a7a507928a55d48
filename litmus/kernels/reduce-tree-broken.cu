// Broken: no barrier in the loop. Thread 0 adds part[1] while thread 1 has yet to write it.
// headway: kernel sum grid 2 block 4 buffer in=8, out=2
// headway: expect error race, violated race
__global__ void sum(const int* in, int* out) {
  __shared__ int part[4];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 4 + t];
  __syncthreads();
  for (int half = 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
