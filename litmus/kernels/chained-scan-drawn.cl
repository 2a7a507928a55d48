// The same with places that work-groups draw.
// headway: kernel scan grid 3 block 2 buffer in=6, out=6, sums=3, state=3:zero, next=1:zero
// headway: expect safe, verified, pass OBE, fail HSA, pass fair
kernel void scan(global const int *in, global int *out, global int *sums, global atomic_int *state,
                 global atomic_int *next) {
  local int before, place;
  if (get_local_id(0) == 0) {
    place = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
    int sum = 0;
    if (place > 0) {
      while (atomic_load_explicit(&state[place - 1], memory_order_acquire, memory_scope_device) ==
             0) {
      }
      sum = sums[place - 1];
    }
    before = sum;
    sums[place] = sum + in[2 * place] + in[2 * place + 1];
    atomic_store_explicit(&state[place], 1, memory_order_release, memory_scope_device);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int own = in[2 * place] + (get_local_id(0) == 0 ? 0 : in[2 * place + 1]);
  out[2 * place + get_local_id(0)] = before + own;
}
