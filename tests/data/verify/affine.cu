// Kernels whose races sets of integers decide, and beside each one or more broken twins, in which one
// thing is wrong; tests/verify/affine/kernels_test.cpp says of which sizes.

__global__ void ok_gemm_any(const float* a, const float* b, float* c, int m, int n, int k) {
  __requires(m >= 0); __requires(m <= 4096);
  __requires(n >= 0); __requires(n <= 4096);
  __requires(k >= 0); __requires(k <= 4096);
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? a[row * k + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? b[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void broken_gemm_any_1(const float* a, const float* b, float* c, int m, int n, int k) {
  __requires(m >= 0); __requires(m <= 4096);
  __requires(n >= 0); __requires(n <= 4096);
  __requires(k >= 0); __requires(k <= 4096);
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? a[row * k + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? b[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void broken_gemm_any_2(const float* a, const float* b, float* c, int m, int n, int k) {
  __requires(m >= 0); __requires(m <= 4096);
  __requires(n >= 0); __requires(n <= 4096);
  __requires(k >= 0); __requires(k <= 4096);
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? a[row * k + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? b[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m) c[row * n + col] = sum;
}

__global__ void broken_gemm_any_3(const float* a, const float* b, float* c, int m, int n, int k) {
  __requires(m >= 0); __requires(m <= 4096);
  __requires(n >= 0); 
  __requires(k >= 0); __requires(k <= 4096);
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? a[row * k + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? b[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void ok_gemm_tiles(const float* a, const float* b, float* c, int ni, int nj, int nk) {
  __requires(ni >= 0); __requires(ni <= 4096);
  __requires(nj >= 0); __requires(nj <= 4096);
  __requires(nk >= 0); __requires(nk <= 4096);
  __shared__ float sa[32][32], sb[32][32];
  float acc[2];
  for (int g0 = 32 * blockIdx.y; g0 < ni; g0 += 256) {
    for (int g1 = 32 * blockIdx.x; g1 < nj; g1 += 256) {
      acc[0] = 0; acc[1] = 0;
      for (int c2 = 0; c2 < nk; c2 += 32) {
        for (int r = threadIdx.y; r < 32; r += 16) {
          if (g0 + r < ni && c2 + threadIdx.x < nk) sa[r][threadIdx.x] = a[(g0 + r) * nk + c2 + threadIdx.x];
          if (g1 + threadIdx.x < nj && c2 + r < nk) sb[r][threadIdx.x] = b[(c2 + r) * nj + g1 + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 32 && c2 + i < nk; ++i) {
          acc[0] += sa[threadIdx.y][i] * sb[i][threadIdx.x];
          acc[1] += sa[threadIdx.y + 16][i] * sb[i][threadIdx.x];
        }
        __syncthreads();
      }
      if (g0 + threadIdx.y < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y) * nj + g1 + threadIdx.x] = acc[0];
      if (g0 + threadIdx.y + 16 < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y + 16) * nj + g1 + threadIdx.x] = acc[1];
    }
  }
}

__global__ void broken_gemm_tiles_1(const float* a, const float* b, float* c, int ni, int nj, int nk) {
  __requires(ni >= 0); __requires(ni <= 4096);
  __requires(nj >= 0); __requires(nj <= 4096);
  __requires(nk >= 0); __requires(nk <= 4096);
  __shared__ float sa[32][32], sb[32][32];
  float acc[2];
  for (int g0 = 32 * blockIdx.y; g0 < ni; g0 += 256) {
    for (int g1 = 32 * blockIdx.x; g1 < nj; g1 += 256) {
      acc[0] = 0; acc[1] = 0;
      for (int c2 = 0; c2 < nk; c2 += 32) {
        for (int r = threadIdx.y; r < 32; r += 16) {
          if (g0 + r < ni && c2 + threadIdx.x < nk) sa[r][threadIdx.x] = a[(g0 + r) * nk + c2 + threadIdx.x];
          if (g1 + threadIdx.x < nj && c2 + r < nk) sb[r][threadIdx.x] = b[(c2 + r) * nj + g1 + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 32 && c2 + i < nk; ++i) {
          acc[0] += sa[threadIdx.y][i] * sb[i][threadIdx.x];
          acc[1] += sa[threadIdx.y + 16][i] * sb[i][threadIdx.x];
        }
        __syncthreads();
      }
      if (g0 + threadIdx.y < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y) * nj + g1 + threadIdx.x] = acc[0];
      if (g0 + threadIdx.y + 16 < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y + 15) * nj + g1 + threadIdx.x] = acc[1];
    }
  }
}

__global__ void broken_gemm_tiles_2(const float* a, const float* b, float* c, int ni, int nj, int nk) {
  __requires(ni >= 0); __requires(ni <= 4096);
  __requires(nj >= 0); __requires(nj <= 4096);
  __requires(nk >= 0); __requires(nk <= 4096);
  __shared__ float sa[32][32], sb[32][32];
  float acc[2];
  for (int g0 = 32 * blockIdx.y; g0 < ni; g0 += 256) {
    for (int g1 = 32 * blockIdx.x; g1 < nj; g1 += 256) {
      acc[0] = 0; acc[1] = 0;
      for (int c2 = 0; c2 < nk; c2 += 32) {
        for (int r = threadIdx.y; r < 32; r += 8) {
          if (g0 + r < ni && c2 + threadIdx.x < nk) sa[r][threadIdx.x] = a[(g0 + r) * nk + c2 + threadIdx.x];
          if (g1 + threadIdx.x < nj && c2 + r < nk) sb[r][threadIdx.x] = b[(c2 + r) * nj + g1 + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 32 && c2 + i < nk; ++i) {
          acc[0] += sa[threadIdx.y][i] * sb[i][threadIdx.x];
          acc[1] += sa[threadIdx.y + 16][i] * sb[i][threadIdx.x];
        }
        __syncthreads();
      }
      if (g0 + threadIdx.y < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y) * nj + g1 + threadIdx.x] = acc[0];
      if (g0 + threadIdx.y + 16 < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y + 16) * nj + g1 + threadIdx.x] = acc[1];
    }
  }
}

__global__ void broken_gemm_tiles_3(const float* a, const float* b, float* c, int ni, int nj, int nk) {
  __requires(ni >= 0); __requires(ni <= 4096);
  __requires(nj >= 0); __requires(nj <= 4096);
  __requires(nk >= 0); __requires(nk <= 4096);
  __shared__ float sa[32][32], sb[32][32];
  float acc[2];
  for (int g0 = 32 * blockIdx.y; g0 < ni; g0 += 256) {
    for (int g1 = 32 * blockIdx.x; g1 < nj; g1 += 224) {
      acc[0] = 0; acc[1] = 0;
      for (int c2 = 0; c2 < nk; c2 += 32) {
        for (int r = threadIdx.y; r < 32; r += 16) {
          if (g0 + r < ni && c2 + threadIdx.x < nk) sa[r][threadIdx.x] = a[(g0 + r) * nk + c2 + threadIdx.x];
          if (g1 + threadIdx.x < nj && c2 + r < nk) sb[r][threadIdx.x] = b[(c2 + r) * nj + g1 + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 32 && c2 + i < nk; ++i) {
          acc[0] += sa[threadIdx.y][i] * sb[i][threadIdx.x];
          acc[1] += sa[threadIdx.y + 16][i] * sb[i][threadIdx.x];
        }
        __syncthreads();
      }
      if (g0 + threadIdx.y < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y) * nj + g1 + threadIdx.x] = acc[0];
      if (g0 + threadIdx.y + 16 < ni && g1 + threadIdx.x < nj) c[(g0 + threadIdx.y + 16) * nj + g1 + threadIdx.x] = acc[1];
    }
  }
}

__global__ void ok_stencil(const float* in, float* out, int w, int h) {
  __requires(w >= 0); __requires(w <= 8192);
  __requires(h >= 0); __requires(h <= 8192);
  __shared__ float tile[18][18];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 18; i += 16) {
      int x = x0 + i - 1, y = y0 + j - 1;
      tile[j][i] = (x >= 0 && x < w && y >= 0 && y < h) ? in[y * w + x] : 0;
    }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y, i = threadIdx.x + 1, j = threadIdx.y + 1;
  if (x < w && y < h)
    out[y * w + x] = tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i] - 4 * tile[j][i];
}

__global__ void broken_stencil_1(const float* in, float* out, int w, int h) {
  __requires(w >= 0); __requires(w <= 8192);
  __requires(h >= 0); __requires(h <= 8192);
  __shared__ float tile[18][18];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 18; i += 16) {
      int x = x0 + i - 1, y = y0 + j - 1;
      tile[j][i] = (x >= 0 && x < w && y >= 0 && y < h) ? in[y * w + x] : 0;
    }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y, i = threadIdx.x + 1, j = threadIdx.y + 1;
  if (x < w && y < h)
    out[y * w + x / 2] = tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i] - 4 * tile[j][i];
}

__global__ void broken_stencil_2(const float* in, float* out, int w, int h) {
  __requires(w >= 0); __requires(w <= 8192);
  __requires(h >= 0); __requires(h <= 8192);
  __shared__ float tile[18][18];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 18; i += 16) {
      int x = x0 + i - 1, y = y0 + j - 1;
      tile[j][i] = (x >= 0 && x < w && y >= 0 && y < h) ? in[y * w + x] : 0;
    }
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y, i = threadIdx.x + 1, j = threadIdx.y + 1;
  if (x < w && y < h)
    out[y * w + x] = tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i] - 4 * tile[j][i];
}

__global__ void ok_transpose(const float* in, float* out, int w, int h) {
  __requires(w >= 0); __requires(w <= 8192);
  __requires(h >= 0); __requires(h <= 8192);
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void broken_transpose_1(const float* in, float* out, int w, int h) {
  __requires(w >= 0); __requires(w <= 8192);
  __requires(h >= 0); __requires(h <= 8192);
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void broken_transpose_2(const float* in, float* out, int w, int h) {
  __requires(w >= 0); __requires(w <= 8192);
  __requires(h >= 0); __requires(h <= 8192);
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void ok_layernorm(const float* in, float* out, const float* gamma, const float* beta, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536);
  __shared__ float part[256];
  const float* row = in + (size_t)blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += row[c];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  float mean = part[0] / cols;
  __syncthreads();
  float v = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v += (row[c] - mean) * (row[c] - mean);
  part[threadIdx.x] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  float inv = rsqrtf(part[0] / cols + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    out[(size_t)blockIdx.x * cols + c] = (row[c] - mean) * inv * gamma[c] + beta[c];
}

__global__ void broken_layernorm_1(const float* in, float* out, const float* gamma, const float* beta, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536);
  __shared__ float part[256];
  const float* row = in + (size_t)blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += row[c];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
  }
  float mean = part[0] / cols;
  __syncthreads();
  float v = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v += (row[c] - mean) * (row[c] - mean);
  part[threadIdx.x] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  float inv = rsqrtf(part[0] / cols + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    out[(size_t)blockIdx.x * cols + c] = (row[c] - mean) * inv * gamma[c] + beta[c];
}

__global__ void broken_layernorm_2(const float* in, float* out, const float* gamma, const float* beta, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536);
  __shared__ float part[256];
  const float* row = in + (size_t)blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += row[c];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  float mean = part[0] / cols;
  __syncthreads();
  float v = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v += (row[c] - mean) * (row[c] - mean);
  part[threadIdx.x] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  float inv = rsqrtf(part[0] / cols + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    out[(size_t)blockIdx.x * (cols - 1) + c] = (row[c] - mean) * inv * gamma[c] + beta[c];
}

__global__ void ok_softmax(const float* in, float* out, int rows, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536); __requires(rows >= 0); __requires(rows <= 8192);
  __shared__ float part[128];
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float m = -1e30f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, in[r * cols + c]);
    part[threadIdx.x] = m;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
      if (threadIdx.x < k) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + k]);
      __syncthreads();
    }
    m = part[0];
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[r * cols + c] = expf(in[r * cols + c] - m);
    __syncthreads();
  }
}

__global__ void broken_softmax_1(const float* in, float* out, int rows, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536); __requires(rows >= 0); __requires(rows <= 8192);
  __shared__ float part[128];
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float m = -1e30f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, in[r * cols + c]);
    part[threadIdx.x] = m;
    __syncthreads();
    for (int k = threadIdx.x / 2; k > 0; k /= 2) {
      if (threadIdx.x < k) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + k]);
      __syncthreads();
    }
    m = part[0];
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[r * cols + c] = expf(in[r * cols + c] - m);
    __syncthreads();
  }
}

__global__ void broken_softmax_2(const float* in, float* out, int rows, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536); __requires(rows >= 0); __requires(rows <= 8192);
  __shared__ float part[128];
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float m = -1e30f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, in[r * cols + c]);
    part[threadIdx.x] = m;
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
      if (threadIdx.x < k) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + k]);
      __syncthreads();
    }
    m = part[0];
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[r * cols + c] = expf(in[r * cols + c] - m);
    __syncthreads();
  }
}

__global__ void broken_softmax_3(const float* in, float* out, int rows, int cols) {
  __requires(cols >= 0); __requires(cols <= 65536); __requires(rows >= 0); __requires(rows <= 8192);
  __shared__ float part[128];
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float m = -1e30f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, in[r * cols + c]);
    part[threadIdx.x] = m;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
      if (threadIdx.x < k) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + k]);
    }
    m = part[0];
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[r * cols + c] = expf(in[r * cols + c] - m);
    __syncthreads();
  }
}

__global__ void ok_bgemm(const float* a, const float* b, float* c, int m, int n, int k, long stride_a, long stride_b, long stride_c) {
  __requires(m >= 0); __requires(m <= 1024); __requires(n >= 0); __requires(n <= 1024); __requires(k >= 0); __requires(k <= 1024);
  __requires(stride_c >= (long)m * n); __requires(stride_c <= 1048576);
  __shared__ float as[16][16], bs[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, batch = blockIdx.z;
  const float* pa = a + batch * stride_a;
  const float* pb = b + batch * stride_b;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? pa[row * k + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? pb[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[batch * stride_c + row * n + col] = sum;
}

__global__ void broken_bgemm_1(const float* a, const float* b, float* c, int m, int n, int k, long stride_a, long stride_b, long stride_c) {
  __requires(m >= 0); __requires(m <= 1024); __requires(n >= 0); __requires(n <= 1024); __requires(k >= 0); __requires(k <= 1024);
  __requires(stride_c >= (long)m * n - 1); __requires(stride_c <= 1048576);
  __shared__ float as[16][16], bs[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, batch = blockIdx.z;
  const float* pa = a + batch * stride_a;
  const float* pb = b + batch * stride_b;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? pa[row * k + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? pb[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[batch * stride_c + row * n + col] = sum;
}

__global__ void ok_conv(float* dst, const float* src, const float* kernel, int w, int h, int pitch) {
  __requires(pitch >= w); __requires(pitch <= 8192); __requires(w >= 0); __requires(h >= 0); __requires(h <= 4096);
  __shared__ float data[4][16 * 10];
  int base_x = (blockIdx.x * 8 - 1) * 16 + threadIdx.x, base_y = blockIdx.y * 4 + threadIdx.y;
  for (int i = 1; i < 9; i++) data[threadIdx.y][threadIdx.x + i * 16] = (base_x + i * 16 < w && base_y < h) ? src[base_y * pitch + base_x + i * 16] : 0;
  data[threadIdx.y][threadIdx.x] = (base_x >= 0) ? src[base_y * pitch + base_x] : 0;
  data[threadIdx.y][threadIdx.x + 144] = (base_x + 144 < w && base_y < h) ? src[base_y * pitch + base_x + 144] : 0;
  __syncthreads();
  for (int i = 1; i < 9; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++) sum += kernel[8 - j] * data[threadIdx.y][threadIdx.x + i * 16 + j];
    if (base_x + i * 16 < w && base_y < h) dst[base_y * pitch + base_x + i * 16] = sum;
  }
}

__global__ void broken_conv_1(float* dst, const float* src, const float* kernel, int w, int h, int pitch) {
  __requires(pitch >= w - 1); __requires(pitch <= 8192); __requires(w >= 0); __requires(h >= 0); __requires(h <= 4096);
  __shared__ float data[4][16 * 10];
  int base_x = (blockIdx.x * 8 - 1) * 16 + threadIdx.x, base_y = blockIdx.y * 4 + threadIdx.y;
  for (int i = 1; i < 9; i++) data[threadIdx.y][threadIdx.x + i * 16] = (base_x + i * 16 < w && base_y < h) ? src[base_y * pitch + base_x + i * 16] : 0;
  data[threadIdx.y][threadIdx.x] = (base_x >= 0) ? src[base_y * pitch + base_x] : 0;
  data[threadIdx.y][threadIdx.x + 144] = (base_x + 144 < w && base_y < h) ? src[base_y * pitch + base_x + 144] : 0;
  __syncthreads();
  for (int i = 1; i < 9; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++) sum += kernel[8 - j] * data[threadIdx.y][threadIdx.x + i * 16 + j];
    if (base_x + i * 16 < w && base_y < h) dst[base_y * pitch + base_x + i * 16] = sum;
  }
}

__global__ void ok_lu(float* m, int size, int offset) {
  __requires(size >= 16); __requires(size <= 4096);
  __requires(offset >= 0); __requires(offset <= size - 16);
  __shared__ float shadow[16][16];
  int at = offset * size + offset;
  for (int i = 0; i < 16; i++) { shadow[i][threadIdx.x] = m[at + threadIdx.x]; at += size; }
  __syncthreads();
  for (int i = 0; i < 15; i++) {
    if (threadIdx.x > i) {
      for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
      shadow[threadIdx.x][i] /= shadow[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i) {
      for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
    }
    __syncthreads();
  }
  at = (offset + 1) * size + offset;
  for (int i = 1; i < 16; i++) { m[at + threadIdx.x] = shadow[i][threadIdx.x]; at += size; }
}

__global__ void broken_lu_1(float* m, int size, int offset) {
  __requires(size >= 16); __requires(size <= 4096);
  __requires(offset >= 0); __requires(offset <= size - 16);
  __shared__ float shadow[16][16];
  int at = offset * size + offset;
  for (int i = 0; i < 16; i++) { shadow[i][threadIdx.x] = m[at + threadIdx.x]; at += size; }
  __syncthreads();
  for (int i = 0; i < 15; i++) {
    if (threadIdx.x >= i) {
      for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
      shadow[threadIdx.x][i] /= shadow[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i) {
      for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
    }
    __syncthreads();
  }
  at = (offset + 1) * size + offset;
  for (int i = 1; i < 16; i++) { m[at + threadIdx.x] = shadow[i][threadIdx.x]; at += size; }
}

__global__ void ok_wavefront(int* m, const int* ref, int cols, int penalty, int i) {
  __requires(cols == 2049); __requires(i >= 1); __requires(i <= 128);
  int bx = blockIdx.x, tx = threadIdx.x, b_index_x = bx, b_index_y = i - 1 - bx;
  __shared__ int temp[17][17], r[16][16];
  if (bx < i) {
  int index = cols * 16 * b_index_y + 16 * b_index_x + tx + cols + 1;
  int index_n = cols * 16 * b_index_y + 16 * b_index_x + tx + 1;
  int index_w = cols * 16 * b_index_y + 16 * b_index_x + cols;
  int index_nw = cols * 16 * b_index_y + 16 * b_index_x;
  if (tx == 0) temp[tx][0] = m[index_nw];
  for (int t = 0; t < 16; t++) r[t][tx] = ref[index + cols * t];
  temp[tx + 1][0] = m[index_w + cols * tx];
  temp[0][tx + 1] = m[index_n];
  __syncthreads();
  for (int d = 0; d < 16; d++) {
    if (tx <= d) {
      int x = tx + 1, y = d - tx + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + r[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int d = 14; d >= 0; d--) {
    if (tx <= d) {
      int x = tx + 16 - d, y = 16 - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + r[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int t = 0; t < 16; t++) m[index + cols * t] = temp[t + 1][tx + 1];
  }
}

__global__ void broken_wavefront_1(int* m, const int* ref, int cols, int penalty, int i) {
  __requires(cols == 2049); __requires(i >= 1); __requires(i <= 128);
  int bx = blockIdx.x, tx = threadIdx.x, b_index_x = bx, b_index_y = i - 1 - bx;
  __shared__ int temp[17][17], r[16][16];
  if (bx < i) {
  int index = cols * 16 * b_index_y + 16 * b_index_x + tx + cols + 1;
  int index_n = cols * 16 * b_index_y + 16 * b_index_x + tx + 1;
  int index_w = cols * 16 * b_index_y + 16 * b_index_x + cols;
  int index_nw = cols * 16 * b_index_y + 16 * b_index_x;
  if (tx == 0) temp[tx][0] = m[index_nw];
  for (int t = 0; t < 16; t++) r[t][tx] = ref[index + cols * t];
  temp[tx + 1][0] = m[index_w + cols * tx];
  temp[0][tx + 1] = m[index_n];
  __syncthreads();
  for (int d = 0; d < 16; d++) {
    if (tx <= d) {
      int x = tx + 1, y = d - tx / 2 + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + r[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int d = 14; d >= 0; d--) {
    if (tx <= d) {
      int x = tx + 16 - d, y = 16 - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + r[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int t = 0; t < 16; t++) m[index + cols * t] = temp[t + 1][tx + 1];
  }
}

__global__ void ok_chosen(int* a) { int t = threadIdx.x, j = t < 32 ? t : 95 - t; a[64 * blockIdx.x + j] = t; }
__global__ void broken_chosen_1(int* a) { int t = threadIdx.x, j = t < 32 ? t : 94 - t; a[64 * blockIdx.x + j] = t; }

__global__ void ok_bits(int* a) { int t = threadIdx.x; a[64 * blockIdx.x + ((t & ~31) | ((t + 1) & 31))] = t; }
__global__ void broken_bits_1(int* a) { int t = threadIdx.x; a[64 * blockIdx.x + ((t & ~31) | ((t + 1) & 15))] = t; }

__global__ void ok_strided(int* a, int n) { for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 4096) a[i] = i; }
__global__ void broken_strided_1(int* a, int n) { for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 4032) a[i] = i; }
// The counter gets around 2^32 where n is large, and comes to other numbers then.
__global__ void ok_short(int* a, int n) { __requires(n <= 1000000); for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 4099) a[i] = i; }
__global__ void broken_short_1(int* a, unsigned n) { for (unsigned i = blockIdx.x * 64 + threadIdx.x; i < n; i += 4099) a[i] = i; }

__global__ void ok_bytes(int* a) { if (blockIdx.x == 0) a[(unsigned char)(4 * threadIdx.x)] = threadIdx.x; }
__global__ void broken_bytes_1(int* a) { if (blockIdx.x == 0) a[(unsigned char)(5 * threadIdx.x * 16)] = threadIdx.x; }

// A value that is not defined is another one at each use.
__global__ void broken_undefined_1(int* a, int n) { int u; for (int i = threadIdx.x; i < n; i += u) a[i] = i; }
