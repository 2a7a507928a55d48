#version 450
// A tiled product: a workgroup loads two tiles, multiplies them, and loads the next ones when all
// of its threads are through with them.
// headway: groups 2,2 buffer a=16, b=16, c=16
// headway: expect safe, pass unfair
layout(local_size_x = 2, local_size_y = 2) in;
layout(set = 0, binding = 0) readonly buffer A { int data[]; } a;
layout(set = 0, binding = 1) readonly buffer B { int data[]; } b;
layout(set = 0, binding = 2) buffer C { int data[]; } c;
shared int left[2][2], right[2][2];

void main() {
  uvec2 t = gl_LocalInvocationID.xy;
  uvec2 at = gl_WorkGroupID.xy * 2 + t;
  int sum = 0;
  for (uint tile = 0; tile < 4; tile += 2) {
    left[t.y][t.x] = a.data[at.y * 4 + tile + t.x];
    right[t.y][t.x] = b.data[(tile + t.y) * 4 + at.x];
    barrier();
    for (uint i = 0; i < 2; ++i) sum += left[t.y][i] * right[i][t.x];
    barrier();
  }
  c.data[at.y * 4 + at.x] = sum;
}
