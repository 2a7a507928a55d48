// The sum of three neighbours, from one array into another.
// headway: kernel blur grid 2 block 4 buffer in=10, out=8
// headway: expect safe, verified, pass unfair
kernel void blur(global const int *in, global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1] + in[i + 2];
}
