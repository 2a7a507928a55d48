#version 450
#extension GL_KHR_memory_scope_semantics : require
// Broken where threads run in lockstep: who has the lock leaves the loop, and waits there for
// the others, who wait for the lock. Nothing is promised among the threads of a subgroup there.
// headway: groups 1 subgroup 2 buffer lock=1:zero, counter=1:zero
// headway: expect pass OBE, fail lockstep
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) buffer Lock { uint word; } lock;
layout(set = 0, binding = 1) coherent buffer Counter { int count; } counter;

void main() {
  while (atomicCompSwap(lock.word, 0u, 1u) != 0) {
  }
  memoryBarrierBuffer();
  counter.count += 1;
  memoryBarrierBuffer();
  atomicExchange(lock.word, 0u);
}
