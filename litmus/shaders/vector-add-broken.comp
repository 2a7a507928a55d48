#version 450
// Broken: the local id where the global one is meant, so that all workgroups write the same
// elements, each its own sums.
// headway: groups 2 buffer a=8, b=8, c=8
// headway: expect error race, violated race
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { int data[]; } a;
layout(set = 0, binding = 1) readonly buffer B { int data[]; } b;
layout(set = 0, binding = 2) buffer C { int data[]; } c;
layout(push_constant) uniform Params { int n; };

void main() {
  uint i = gl_LocalInvocationID.x;
  c.data[i] = a.data[gl_GlobalInvocationID.x] + b.data[gl_GlobalInvocationID.x];
}
