// A block adds its elements in a tree. The barrier in the loop keeps a level from reading what the
// level before has yet to write.
// headway: kernel sum grid 2 block 4 buffer in=8, out=2
// headway: expect safe, verified, pass unfair
__global__ void sum(const int* in, int* out) {
  __shared__ int part[4];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 4 + t];
  __syncthreads();
  for (int half = 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
