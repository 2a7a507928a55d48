// Batcher's bitonic sort, 1968: of each pair of keys the work-item with the lower place compares
// and swaps.
// headway: kernel sort grid 1 block 4 buffer data=4:unknown(0..3)
// headway: expect safe, verified, pass unfair
kernel void sort(global int *data) {
  local int keys[4];
  int t = get_local_id(0);
  keys[t] = data[t];
  barrier(CLK_LOCAL_MEM_FENCE);
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
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  data[t] = keys[t];
}
