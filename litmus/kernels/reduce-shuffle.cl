// A subgroup adds its elements through registers, in which all of its work-items take part.
// headway: kernel sum grid 1 block 4 subgroup 4 buffer in=4, out=1
// headway: expect safe, verified, pass unfair
kernel void sum(global const int *in, global int *out) {
  int value = sub_group_reduce_add(in[get_local_id(0)]);
  if (get_sub_group_local_id() == 0) *out = value;
}
