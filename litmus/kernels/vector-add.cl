// Each work-item adds one element, and leaves alone what is behind the end.
// headway: kernel add grid 2 block 4 arg n=7 buffer a=7, b=7, c=7
// headway: expect safe, verified, pass unfair
kernel void add(global const int *a, global const int *b, global int *c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
