#version 450
#extension GL_KHR_memory_scope_semantics : require
// Broken: the semantics name buffers alone, which orders nothing in shared memory.
// headway: groups 1 buffer input_=4, output_=4
// headway: expect error race, violated race
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;
shared int sums[8];

void main() {
  uint t = gl_LocalInvocationID.x;
  uint from = 0;
  sums[t] = input_.data[t];
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  for (uint distance = 1; distance < 4; distance *= 2) {
    uint to = 4 - from;
    sums[to + t] = sums[from + t] + (t >= distance ? sums[from + t - distance] : 0);
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease);
    from = to;
  }
  output_.data[t] = sums[from + t];
}
