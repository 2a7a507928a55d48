// Batcher's bitonic sort, 1968: of each pair of keys the thread with the lower place compares and
// swaps.
// headway: kernel sort grid 1 block 4 buffer data=4:unknown(0..3)
// headway: expect safe, verified, pass unfair
__global__ void sort(int* data) {
  __shared__ int keys[4];
  int t = threadIdx.x;
  keys[t] = data[t];
  __syncthreads();
  for (int size = 2; size <= 4; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      int other = t ^ distance;
      if (other > t) {
        int low = keys[t], high = keys[other];
        if ((low > high) == ((t & size) == 0)) {
          keys[t] = high;
          keys[other] = low;
        }
      }
      __syncthreads();
    }
  }
  data[t] = keys[t];
}
