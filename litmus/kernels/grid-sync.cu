// The grid's own barrier, of a cooperative launch.
#include <cooperative_groups.h>
// headway: kernel meet grid 2 block 2 buffer data=4, out=4
// headway: expect safe, verified, pass unfair
__global__ void meet(int* data, int* out) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int i = grid.thread_rank();
  data[i] = i;
  grid.sync();
  out[i] = data[3 - i];
}
