#version 450
// Broken: no second barrier. Thread 0 may draw the next item before thread 1 has read this one.
// headway: groups 2 arg n=3 buffer input_=6, output_=6, next=1:zero
// headway: expect error race, violated race
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;
layout(set = 0, binding = 2) buffer Next { uint item; } next;
layout(push_constant) uniform Params { uint n; };
shared uint item;

void main() {
  uint t = gl_LocalInvocationID.x;
  for (;;) {
    if (t == 0) item = atomicAdd(next.item, 1);
    barrier();
    uint own = item;
    if (own >= n) break;
    output_.data[2 * own + t] = 2 * input_.data[2 * own + t];
  }
}
