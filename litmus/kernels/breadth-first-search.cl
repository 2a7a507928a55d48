// One level of a breadth-first search: each work-item takes a node from the queue, and who reaches
// a new node first, by compare and swap, puts it into the next queue. A line of four nodes: the
// neighbours of node n are n - 1 and n + 1.
// headway: kernel visit grid 2 block 1 buffer level={0,-1,0,-1}, queue={0,2,0,0}
// headway: buffer next=4:zero, tail=1:zero arg size=2, depth=0 expect safe, verified, pass unfair
kernel void visit(global int *level, global const int *queue, global int *next, global int *tail,
                  int size, int depth) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i >= size) return;
  int node = queue[i];
  for (int step = -1; step <= 1; step += 2) {
    int other = node + step;
    if (other < 0 || other >= 4) continue;
    if (atomic_cmpxchg(&level[other], -1, depth + 1) == -1) next[atomic_add(tail, 1)] = other;
  }
}
