// Counts in local memory, then in global memory, with atomics of OpenCL 1.2.
// headway: kernel count grid 2 block 2 buffer in={0,1,1,1}, bins=2:zero, own=2
// headway: expect safe, verified, pass unfair
kernel void count(global const int *in, global int *bins, local int *own) {
  int t = get_local_id(0);
  own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&own[in[get_global_id(0)] & 1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], own[t]);
}
