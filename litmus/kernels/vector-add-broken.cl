// Broken: the local id where the global one is meant, so that all work-groups write the same
// elements, each its own sums.
// headway: kernel add grid 2 block 4 arg n=7 buffer a=8, b=8, c=8
// headway: expect error race, violated race
kernel void add(global const int *a, global const int *b, global int *c, int n) {
  int i = get_local_id(0);
  c[i] = a[get_global_id(0)] + b[get_global_id(0)];
}
