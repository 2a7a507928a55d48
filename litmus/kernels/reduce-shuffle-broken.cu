// Broken: only the lower lanes of each level come to the shuffle, which waits for all that the mask
// names.
// headway: kernel sum grid 1 block 4 subgroup 4 buffer in=4, out=1
// headway: expect error divergence, violated divergence
__global__ void sum(const int* in, int* out) {
  int value = in[threadIdx.x];
  for (int distance = 2; distance > 0; distance /= 2) {
    if (threadIdx.x < distance) value += __shfl_down_sync(0xf, value, distance);
  }
  if (threadIdx.x == 0) *out = value;
}
