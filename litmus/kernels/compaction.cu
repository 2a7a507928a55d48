// Elements that are not zero, in whatever order: each draws a place from a counter.
// headway: kernel keep grid 2 block 2 buffer in=4:unknown(0..1), out=4, count=1:zero
// headway: expect safe, verified, pass unfair
__global__ void keep(const int* in, int* out, int* count) {
  int i = blockIdx.x * 2 + threadIdx.x;
  if (in[i] != 0) out[atomicAdd(count, 1)] = in[i];
}
