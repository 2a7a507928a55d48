// A tiled product: a work-group loads two tiles, multiplies them, and loads the next ones when all
// of its work-items are through with them.
// headway: kernel multiply grid 2,2 block 2,2 buffer a=16, b=16, c=16
// headway: expect safe, verified, pass unfair
kernel void multiply(global const int *a, global const int *b, global int *c) {
  local int left[2][2], right[2][2];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * 2 + tx, y = get_group_id(1) * 2 + ty;
  int sum = 0;
  for (int tile = 0; tile < 4; tile += 2) {
    left[ty][tx] = a[y * 4 + tile + tx];
    right[ty][tx] = b[(tile + ty) * 4 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; ++i) sum += left[ty][i] * right[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * 4 + x] = sum;
}
