// Broken: no second barrier. Work-item 0 may draw the next item before work-item 1 has read this
// one.
// headway: kernel work grid 2 block 2 arg n=3 buffer in=6, out=6, next=1:zero
// headway: expect error race, violated race, violated divergence
kernel void work(global const int *in, global int *out, global int *next, int n) {
  local int item;
  for (;;) {
    if (get_local_id(0) == 0) item = atomic_add(next, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int own = item;
    if (own >= n) break;
    out[2 * own + get_local_id(0)] = 2 * in[2 * own + get_local_id(0)];
  }
}
