#version 450
#extension GL_KHR_memory_scope_semantics : require
// Broken: the ticket is served by a relaxed addition, which publishes nothing.
// headway: groups 3 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: expect error race
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Next { uint ticket; } next;
layout(set = 0, binding = 1) buffer Serving { uint ticket; } serving;
layout(set = 0, binding = 2) coherent buffer Counter { int count; } counter;

void main() {
  uint ticket = atomicAdd(next.ticket, 1u);
  while (atomicLoad(serving.ticket, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsAcquire) != ticket) {
  }
  counter.count += 1;
  atomicAdd(serving.ticket, 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}
