// A tiled product: a block loads two tiles, multiplies them, and loads the next ones when all of
// its threads are through with them.
// headway: kernel multiply grid 2,2 block 2,2 buffer a=16, b=16, c=16
// headway: expect safe, verified, pass unfair
__global__ void multiply(const int* a, const int* b, int* c) {
  __shared__ int left[2][2], right[2][2];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 2 + tx, y = blockIdx.y * 2 + ty;
  int sum = 0;
  for (int tile = 0; tile < 4; tile += 2) {
    left[ty][tx] = a[y * 4 + tile + tx];
    right[ty][tx] = b[(tile + ty) * 4 + x];
    __syncthreads();
    for (int i = 0; i < 2; ++i) sum += left[ty][i] * right[i][tx];
    __syncthreads();
  }
  c[y * 4 + x] = sum;
}
