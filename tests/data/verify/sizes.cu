// Right for all sizes of the launch, within what they require; tests/verify/kernels_test.cpp.
__global__ void block_strided(int* a, unsigned n) { for (unsigned i = threadIdx.x; i < n; i += blockDim.x) { __assume(i + blockDim.x > i); a[i] = 1; } }
__global__ void copy(int* a, int* b, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = b[i]; }
__global__ void reduce(int* in, int* out) {
  extern __shared__ int s[];
  __requires(__is_pow2(blockDim.x));
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void grid_strided(int* a, unsigned n) {
  __requires(gridDim.x <= 65535 & n <= 0x7fffffff);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += 1;
}
__global__ void grid_strided_signed(float* a, const float* b, int n) {
  __requires(gridDim.x <= 65535 & n <= 0x3fffffff);
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) a[i] = b[i] * b[i];
}
__global__ void grid_strided_vectors(float4* a, int n) {
  __requires(gridDim.x <= 65535 & n <= 0x3fffffff);
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    float4 v = a[i]; v.x += v.y; a[i] = v;
  }
}
__global__ void transpose_plain(float* out, const float* in, unsigned w, unsigned h) {
  __requires(gridDim.x <= 65535 & gridDim.y <= 65535 & w <= 32768 & h <= 32768);
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
__global__ void transpose_tiled(float* out, const float* in, int w, int h) {
  __shared__ float tile[16][17];
  __requires(blockDim.x == 16 & blockDim.y == 16 & gridDim.x <= 2048 & gridDim.y <= 2048);
  __requires(0 < w & w <= 32768 & 0 < h & h <= 32768);
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void pairs(int* a) {
  __requires(blockDim.x == 16 & gridDim.x == 1);
  a[threadIdx.x] = 1;
  __assert(blockDim.x > threadIdx.x & blockDim.x > 1);
}
