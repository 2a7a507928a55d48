#version 450
#extension GL_KHR_memory_scope_semantics : require
// Broken: it waits for one more than there are, for ever.
// headway: groups 2 buffer values=4, output_=4, arrived=1:zero
// headway: expect fail fair
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) coherent buffer Values { uint data[]; } values;
layout(set = 0, binding = 1) buffer Output { uint data[]; } output_;
layout(set = 0, binding = 2) buffer Arrived { uint count; } arrived;

void main() {
  uint i = gl_GlobalInvocationID.x;
  values.data[i] = i;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  if (gl_LocalInvocationID.x == 0) {
    atomicAdd(arrived.count, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsAcquireRelease);
    while (atomicLoad(arrived.count, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                      gl_SemanticsAcquire) < gl_NumWorkGroups.x + 1) {
    }
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  output_.data[i] = values.data[3 - i];
}
