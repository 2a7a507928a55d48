// A work-group adds its elements in a tree, in local memory that the host provides.
// headway: kernel sum grid 2 block 4 buffer in=8, out=2, part=4
// headway: expect safe, verified, pass unfair
kernel void sum(global const int *in, global int *out, local int *part) {
  int t = get_local_id(0);
  part[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 2; half_size > 0; half_size /= 2) {
    if (t < half_size) part[t] += part[t + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}
