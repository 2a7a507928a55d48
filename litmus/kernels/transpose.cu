// A block transposes a tile in shared memory, so that rows are read and rows are written.
// headway: kernel transpose grid 2,2 block 2,2 buffer in=16, out=16
// headway: expect safe, verified, pass unfair
__global__ void transpose(const int* in, int* out) {
  __shared__ int tile[2][3];  // a column more, against conflicts of banks
  int x = blockIdx.x * 2 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * 4 + x];
  __syncthreads();
  int row = blockIdx.x * 2 + threadIdx.y, column = blockIdx.y * 2 + threadIdx.x;
  out[row * 4 + column] = tile[threadIdx.x][threadIdx.y];
}
