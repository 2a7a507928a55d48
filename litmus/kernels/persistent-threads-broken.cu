// Broken: no second barrier. Thread 0 may draw the next item before thread 1 has read this one.
// headway: kernel work grid 2 block 2 arg n=3 buffer in=6, out=6, next=1:zero
// headway: expect error race, violated race, violated divergence
__global__ void work(const int* in, int* out, int* next, int n) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1);
    __syncthreads();
    int own = item;
    if (own >= n) break;
    out[2 * own + threadIdx.x] = 2 * in[2 * own + threadIdx.x];
  }
}
