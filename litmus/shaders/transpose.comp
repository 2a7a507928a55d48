#version 450
// A workgroup transposes a tile in shared memory, so that rows are read and rows are written.
// headway: groups 2,2 buffer input_=16, output_=16
// headway: expect safe, pass unfair
layout(local_size_x = 2, local_size_y = 2) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;
shared int tile[2][3];  // a column more, against conflicts of banks

void main() {
  uvec2 t = gl_LocalInvocationID.xy;
  uvec2 at = gl_WorkGroupID.xy * 2 + t;
  tile[t.y][t.x] = input_.data[at.y * 4 + at.x];
  barrier();
  uvec2 to = gl_WorkGroupID.xy * 2 + t.yx;
  output_.data[to.x * 4 + to.y] = tile[t.x][t.y];
}
