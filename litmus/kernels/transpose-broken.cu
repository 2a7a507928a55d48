// Broken: no barrier between the writes of the tile and its reads by other threads.
// headway: kernel transpose grid 2,2 block 2,2 buffer in=16, out=16
// headway: expect error race, violated race
__global__ void transpose(const int* in, int* out) {
  __shared__ int tile[2][3];  // a column more, against conflicts of banks
  int x = blockIdx.x * 2 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * 4 + x];
  int row = blockIdx.x * 2 + threadIdx.y, column = blockIdx.y * 2 + threadIdx.x;
  out[row * 4 + column] = tile[threadIdx.x][threadIdx.y];
}
