#version 450
#extension GL_KHR_memory_scope_semantics : require
// A lock for the threads of a subgroup. Each tries, works and releases in one turn of the loop,
// so that even threads in lockstep leave nobody behind with the lock.
// headway: groups 1 subgroup 2 buffer lock=1:zero, counter=1:zero
// headway: expect safe, pass OBE
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) buffer Lock { uint word; } lock;
layout(set = 0, binding = 1) coherent buffer Counter { int count; } counter;

void main() {
  bool done = false;
  while (!done) {
    if (atomicCompSwap(lock.word, 0u, 1u) == 0) {
      memoryBarrierBuffer();
      counter.count += 1;
      memoryBarrierBuffer();
      atomicExchange(lock.word, 0u);
      done = true;
    }
  }
}
