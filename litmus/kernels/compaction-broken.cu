// Broken: the counter is read, and counted on separately. Two threads may read the same place.
// headway: kernel keep grid 2 block 2 buffer in=4:unknown(0..1), out=4, count=1:zero
// headway: expect error race, violated race
__global__ void keep(const int* in, int* out, int* count) {
  int i = blockIdx.x * 2 + threadIdx.x;
  if (in[i] != 0) {
    out[*count] = in[i];
    atomicAdd(count, 1);
  }
}
