// Broken: nobody waits until the counts are cleared.
// headway: kernel count grid 2 block 2 buffer in={0,1,1,1}, bins=2:zero, own=2
// headway: expect error race, violated race
kernel void count(global const int *in, global int *bins, local int *own) {
  int t = get_local_id(0);
  own[t] = 0;
  atomic_inc(&own[in[get_global_id(0)] & 1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], own[t]);
}
