// Two blocks that meet at the start and at the end, by flags of which each block clears its own: memory
// that is not sequentially consistent may clear one last.
__global__ void ranks(volatile unsigned* start, volatile unsigned* end) {
  const unsigned mine = blockIdx.x, peer = 1 - mine;
  end[mine] = 0;
  start[peer] = 1;
  while (start[mine] == 0) {}
  end[peer] = 1;
  while (end[mine] == 0) {}
}
