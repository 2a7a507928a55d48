#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// A subgroup adds its elements through registers, in which all of its threads take part.
// headway: groups 1 subgroup 4 buffer input_=4, output_=1
// headway: expect safe, pass unfair
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;

void main() {
  int value = subgroupAdd(input_.data[gl_LocalInvocationID.x]);
  if (gl_SubgroupInvocationID == 0) output_.data[0] = value;
}
