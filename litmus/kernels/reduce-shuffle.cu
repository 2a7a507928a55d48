// A warp adds its elements through registers. All lanes take part in every shuffle, as the mask
// says.
// headway: kernel sum grid 1 block 4 subgroup 4 buffer in=4, out=1
// headway: expect safe, verified, pass unfair
__global__ void sum(const int* in, int* out) {
  int value = in[threadIdx.x];
  for (int distance = 2; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xf, value, distance);
  }
  if (threadIdx.x == 0) *out = value;
}
