// Broken: every thread draws, where one is to draw for its block. Threads of a block have places
// of their own then, and wait for places that nobody has.
// headway: kernel scan grid 2 block 2 buffer in=8, out=8
// headway: expect violated termination, fail fair
__device__ int sums[4];
__device__ int ready[4];
__device__ int next;

__global__ void scan(const int* in, int* out) {
  int place = atomicAdd(&next, 1);
  if (threadIdx.x == 0) {
    int sum = 0;
    if (place > 0) {
      while (atomicAdd(&ready[place - 1], 0) == 0) {
      }
      __threadfence();
      sum = sums[place - 1];
    }
    sums[place] = sum + in[2 * place] + in[2 * place + 1];
    __threadfence();
    atomicExch(&ready[place], 1);
  }
}
