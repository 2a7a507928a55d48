#version 450
// Elements that are not zero, in whatever order: each draws a place from a counter.
// headway: groups 2 buffer input_=4:unknown(0..1), output_=4, counter=1:zero
// headway: expect safe, pass unfair
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;
layout(set = 0, binding = 2) buffer Counter { uint count; } counter;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (input_.data[i] != 0) {
    output_.data[atomicAdd(counter.count, 1)] = input_.data[i];
  }
}
