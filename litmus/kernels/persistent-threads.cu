// As many blocks as there is room for take items from a queue until there are none. Nobody waits
// for anyone else, so that no promise is needed. The second barrier keeps the next item from
// overwriting one that is still to be read.
// headway: kernel work grid 2 block 2 arg n=3 buffer in=6, out=6, next=1:zero
// headway: expect safe, verified, pass unfair
__global__ void work(const int* in, int* out, int* next, int n) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1);
    __syncthreads();
    int own = item;
    __syncthreads();
    if (own >= n) break;
    out[2 * own + threadIdx.x] = 2 * in[2 * own + threadIdx.x];
  }
}
