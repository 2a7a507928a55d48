// Broken: the element behind the line is one too far, which the last block finds is not there.
// headway: kernel blur grid 2 block 4 buffer in=10, out=8
// headway: verify --bounds
// headway: expect error bounds, violated bounds
__global__ void blur(const int* in, int* out) {
  __shared__ int line[6];
  int t = threadIdx.x, first = blockIdx.x * 4;
  line[t + 1] = in[first + t + 1];
  if (t == 0) line[0] = in[first];
  if (t == 3) line[5] = in[first + 6];
  __syncthreads();
  out[first + t] = line[t] + line[t + 1] + line[t + 2];
}
