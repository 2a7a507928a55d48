#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Broken: every thread stores what it holds, and only the first holds the sum.
// headway: groups 1 subgroup 4 buffer input_=4, output_=1
// headway: expect error race
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;

void main() {
  int value = subgroupInclusiveAdd(input_.data[gl_LocalInvocationID.x]);
  output_.data[0] = value;
}
