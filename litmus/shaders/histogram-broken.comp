#version 450
// Broken: nobody waits until the counts are cleared.
// headway: groups 2 buffer input_={0,1,1,1}, bins=2:zero
// headway: expect error race, violated race
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Bins { int count[]; } bins;
shared int own[2];

void main() {
  uint t = gl_LocalInvocationID.x;
  own[t] = 0;
  atomicAdd(own[input_.data[gl_GlobalInvocationID.x] & 1], 1);
  barrier();
  atomicAdd(bins.count[t], own[t]);
}
