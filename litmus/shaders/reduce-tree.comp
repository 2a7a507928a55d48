#version 450
// A workgroup adds its elements in a tree, in shared memory as large as the workgroup, which a
// specialization constant sizes.
// headway: groups 2 spec 0=4 buffer input_=8, output_=2
// headway: expect safe, pass unfair
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;
shared int part[gl_WorkGroupSize.x];

void main() {
  uint t = gl_LocalInvocationID.x;
  part[t] = input_.data[gl_GlobalInvocationID.x];
  barrier();
  for (uint half_size = gl_WorkGroupSize.x / 2; half_size > 0; half_size /= 2) {
    if (t < half_size) part[t] += part[t + half_size];
    barrier();
  }
  if (t == 0) output_.data[gl_WorkGroupID.x] = part[0];
}
