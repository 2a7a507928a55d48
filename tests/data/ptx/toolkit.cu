// Blocks and grids that meet by what the toolkit's headers have.
//
// headway: kernel rotate grid 1 block 4
// headway: expect safe, pass CUDA
// headway: kernel collect grid 2 block 2
// headway: expect safe, pass CUDA-cooperative
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

extern "C" __global__ void rotate(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ int data[4];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  barrier.arrive_and_wait();
  out[threadIdx.x] = data[(threadIdx.x + 1) % 4];
}

extern "C" __global__ void collect(int* of_block, int* sum) {
  if (threadIdx.x == 0) of_block[blockIdx.x] = blockIdx.x + 1;
  cg::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) *sum = of_block[0] + of_block[1];
}
