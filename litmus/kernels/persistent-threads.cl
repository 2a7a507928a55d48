// As many work-groups as there is room for take items from a queue until there are none. Nobody
// waits for anyone else, so that no promise is needed. The second barrier keeps the next item from
// overwriting one that is still to be read.
// headway: kernel work grid 2 block 2 arg n=3 buffer in=6, out=6, next=1:zero
// headway: expect safe, verified, pass unfair
kernel void work(global const int *in, global int *out, global int *next, int n) {
  local int item;
  for (;;) {
    if (get_local_id(0) == 0) item = atomic_add(next, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int own = item;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own >= n) break;
    out[2 * own + get_local_id(0)] = 2 * in[2 * own + get_local_id(0)];
  }
}
