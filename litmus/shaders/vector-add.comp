#version 450
// Each thread adds one element, and leaves alone what is behind the end.
// headway: groups 2 arg n=7 buffer a=7, b=7, c=7
// headway: expect safe, verified, pass unfair
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { int data[]; } a;
layout(set = 0, binding = 1) readonly buffer B { int data[]; } b;
layout(set = 0, binding = 2) buffer C { int data[]; } c;
layout(push_constant) uniform Params { int n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) c.data[i] = a.data[i] + b.data[i];
}
