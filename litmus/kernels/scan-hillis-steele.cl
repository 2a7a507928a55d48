// Inclusive scan with two buffers that change places, so that one barrier a level is enough.
// headway: kernel scan grid 1 block 4 buffer in=4, out=4, sums=8
// headway: expect safe, verified, pass unfair
kernel void scan(global const int *in, global int *out, local int *sums) {
  int t = get_local_id(0);
  int from = 0;
  sums[t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < 4; distance *= 2) {
    int to = 4 - from;
    sums[to + t] = sums[from + t] + (t >= distance ? sums[from + t - distance] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    from = to;
  }
  out[t] = sums[from + t];
}
