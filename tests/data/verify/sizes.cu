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
