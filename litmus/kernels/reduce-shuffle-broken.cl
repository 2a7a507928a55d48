// Broken: every work-item stores what it holds, and only the first holds the sum.
// headway: kernel sum grid 1 block 4 subgroup 4 buffer in=4, out=1
// headway: expect error race, violated race
kernel void sum(global const int *in, global int *out) {
  int value = in[get_local_id(0)];
  for (uint distance = 2; distance > 0; distance /= 2) {
    value += sub_group_shuffle_down(value, distance);
  }
  *out = value;
}
