// Launched as 16 workgroups of 64 threads: verified with a condition on an argument alone, or never.
__global__ void stride(int* a, int n) { a[(blockIdx.x * blockDim.x + threadIdx.x) * n] = threadIdx.x; }
__global__ void tail(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; __syncthreads(); a[i] = i; }
__global__ void rows(int* a, int width) { a[blockIdx.x * width + threadIdx.x] = blockIdx.x + threadIdx.x; }
__global__ void never(int* a, int n) { a[0] = threadIdx.x; if (n > 3) a[n + threadIdx.x / 2] = threadIdx.x; }
__global__ void required(int* a, int n) { __requires(n == 3); a[blockIdx.x * n + threadIdx.x] = threadIdx.x; }
