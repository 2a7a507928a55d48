// A work-group transposes a tile in local memory, so that rows are read and rows are written.
// headway: kernel transpose grid 2,2 block 2,2 buffer in=16, out=16
// headway: expect safe, verified, pass unfair
kernel void transpose(global const int *in, global int *out) {
  local int tile[2][3];  // a column more, against conflicts of banks
  int x = get_group_id(0) * 2 + get_local_id(0), y = get_group_id(1) * 2 + get_local_id(1);
  tile[get_local_id(1)][get_local_id(0)] = in[y * 4 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int row = get_group_id(0) * 2 + get_local_id(1), column = get_group_id(1) * 2 + get_local_id(0);
  out[row * 4 + column] = tile[get_local_id(0)][get_local_id(1)];
}
