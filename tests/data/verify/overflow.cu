// Kernels with errors, in launches of 8 x 8 workgroups of 16 x 16 threads, with ends of arrays:
// only_PROPERTY_... where arithmetic has to wrap around for it, other_... where it need not.
__global__ void only_race_rows(int* a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) a[y * w + x] = x;
}

__global__ void only_race_rows_unsigned(int* a, unsigned w) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w) a[y * w + x] = x;
}

__global__ void only_race_scaled(int* a, int s) {
  int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * (blockIdx.x + 8 * blockIdx.y));
  if (s > 0) a[i * s] = i;
}

__global__ void only_bounds_guard(unsigned n) {
  __shared__ int s[64];
  if (n + 4 < 64) s[n] = 1;
}

__global__ void only_assertion_sum(unsigned n) {
  unsigned k = threadIdx.x + n;
  __assert(k >= n);
}

// Without wrapping around a candidate holds that does not hold otherwise.
__global__ void only_assertion_rounds(unsigned n) {
  for (unsigned i = 100 + threadIdx.x; i < n; i += 64) __assert(i >= 100);
}

// In row -1 the last ones are those of row 0, and nothing wraps around.
__global__ void other_race_rows(int* a, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * w + x] = x + 1000 * y;
}

// s = 0 does not wrap around.
__global__ void other_race_scaled(int* a, int s) {
  int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * (blockIdx.x + 8 * blockIdx.y));
  a[i * s] = i;
}

// One of two races needs no wrapping around.
__global__ void other_race_two(int* a, int* b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w) a[y * w + x] = x;
  if (w == 3) b[0] = x;
}

// Numbers with sign: -5 + 32 does not wrap around.
__global__ void other_bounds_negative(int n) {
  __shared__ int s[64];
  int k = threadIdx.x + n;
  if (k < 64) s[k] = 1;
}
