#version 450
#extension GL_KHR_memory_scope_semantics : require
// Broken: nobody releases the lock, and the second workgroup waits for ever.
// headway: groups 2 buffer lock=1:zero, counter=1:zero
// headway: expect fail fair
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Lock { uint word; } lock;
layout(set = 0, binding = 1) coherent buffer Counter { int count; } counter;

void main() {
  while (atomicCompSwap(lock.word, 0u, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                        gl_SemanticsAcquire, 0, gl_SemanticsRelaxed) != 0) {
  }
  counter.count += 1;
}
