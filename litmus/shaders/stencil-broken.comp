#version 450
// Broken: in place. Neighbours are read while they are written.
// headway: groups 2 buffer input_=10
// headway: expect error race, violated race
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Input { int data[]; } input_;

void main() {
  uint i = gl_GlobalInvocationID.x;
  input_.data[i] = input_.data[i] + input_.data[i + 1] + input_.data[i + 2];
}
