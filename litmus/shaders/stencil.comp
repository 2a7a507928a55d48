#version 450
// The sum of three neighbours, from one array into another.
// headway: groups 2 buffer input_=10, output_=8
// headway: expect safe, verified, pass unfair
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;

void main() {
  uint i = gl_GlobalInvocationID.x;
  output_.data[i] = input_.data[i] + input_.data[i + 1] + input_.data[i + 2];
}
