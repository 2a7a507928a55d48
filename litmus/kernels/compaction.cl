// Elements that are not zero, in whatever order: each draws a place from a counter.
// headway: kernel keep grid 2 block 2 buffer in=4:unknown(0..1), out=4, count=1:zero
// headway: expect safe, verified, pass unfair
kernel void keep(global const int *in, global int *out, global int *count) {
  int i = get_group_id(0) * 2 + get_local_id(0);
  if (in[i] != 0) out[atomic_add(count, 1)] = in[i];
}
