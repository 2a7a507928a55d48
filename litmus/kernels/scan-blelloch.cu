// Exclusive scan in a tree, up and down again, with a barrier in front of every level.
// Blelloch, 1990.
// headway: kernel scan grid 1 block 2 buffer data=4
// headway: expect safe, verified, pass unfair
__global__ void scan(int* data) {
  __shared__ int tree[4];
  int t = threadIdx.x;
  tree[2 * t] = data[2 * t];
  tree[2 * t + 1] = data[2 * t + 1];
  int offset = 1;
  for (int d = 2; d > 0; d /= 2) {  // up: sums of pairs, of pairs of pairs
    __syncthreads();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) tree[3] = 0;
  for (int d = 1; d < 4; d *= 2) {  // down: what stands before each half
    offset /= 2;
    __syncthreads();
    if (t < d) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      int value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  __syncthreads();
  data[2 * t] = tree[2 * t];
  data[2 * t + 1] = tree[2 * t + 1];
}
