#version 450
// Exclusive scan in a tree, up and down again, with a barrier in front of every level.
// Blelloch, 1990.
// headway: groups 1 buffer values=4
// headway: expect safe, pass unfair
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) buffer Values { int data[]; } values;
shared int tree[4];

void main() {
  uint t = gl_LocalInvocationID.x;
  tree[2 * t] = values.data[2 * t];
  tree[2 * t + 1] = values.data[2 * t + 1];
  uint offset = 1;
  for (uint d = 2; d > 0; d /= 2) {  // up: sums of pairs, of pairs of pairs
    barrier();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) tree[3] = 0;
  for (uint d = 1; d < 4; d *= 2) {  // down: what stands before each half
    offset /= 2;
    barrier();
    if (t < d) {
      uint left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      int value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  barrier();
  values.data[2 * t] = tree[2 * t];
  values.data[2 * t + 1] = tree[2 * t + 1];
}
