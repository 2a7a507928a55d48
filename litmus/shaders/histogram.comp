#version 450
// Counts in shared memory, then in a buffer.
// headway: groups 2 buffer input_={0,1,1,1}, bins=2:zero
// headway: expect safe, pass unfair
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Bins { int count[]; } bins;
shared int own[2];

void main() {
  uint t = gl_LocalInvocationID.x;
  own[t] = 0;
  barrier();
  atomicAdd(own[input_.data[gl_GlobalInvocationID.x] & 1], 1);
  barrier();
  atomicAdd(bins.count[t], own[t]);
}
