#version 450
// One level of a breadth-first search: each thread takes a node from the queue, and who reaches
// a new node first, by compare and swap, puts it into the next queue. A line of four nodes: the
// neighbours of node n are n - 1 and n + 1.
// headway: groups 2 buffer levels={0,-1,0,-1}, queue={0,2,0,0}
// headway: buffer next=4:zero, tail=1:zero arg size=2, depth=0 expect safe, pass unfair
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Levels { int data[]; } levels;
layout(set = 0, binding = 1) readonly buffer Queue { int data[]; } queue;
layout(set = 0, binding = 2) buffer Next { int data[]; } next;
layout(set = 0, binding = 3) buffer Tail { uint count; } tail;
layout(set = 0, binding = 4) uniform Params { uint size; int depth; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= size) return;
  int node = queue.data[i];
  for (int side = -1; side <= 1; side += 2) {
    int other = node + side;
    if (other < 0 || other >= 4) continue;
    if (atomicCompSwap(levels.data[other], -1, depth + 1) == -1) {
      next.data[atomicAdd(tail.count, 1)] = other;
    }
  }
}
