// Broken: one too many. The thread with i == n writes behind the end.
// headway: kernel add grid 2 block 4 arg n=7 buffer a=7, b=7, c=7
// headway: verify --bounds
// headway: expect error bounds, violated bounds
__global__ void add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) c[i] = a[i] + b[i];
}
