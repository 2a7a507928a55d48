// Broken: the counter is read, and counted on separately. Two work-items may read the same place.
// headway: kernel keep grid 2 block 2 buffer in=4:unknown(0..1), out=4, count=1:zero
// headway: expect error race, violated race
kernel void keep(global const int *in, global int *out, global int *count) {
  int i = get_group_id(0) * 2 + get_local_id(0);
  if (in[i] != 0) {
    out[*count] = in[i];
    atomic_add(count, 1);
  }
}
