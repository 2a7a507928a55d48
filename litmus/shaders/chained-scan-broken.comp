#version 450
#extension GL_KHR_memory_scope_semantics : require
// Broken: the flag is released to the workgroup alone, and it is another one that waits for it.
// headway: groups 3 buffer input_=6, output_=6, sums=3, state=3:zero
// headway: expect error race
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) readonly buffer Input { int data[]; } input_;
layout(set = 0, binding = 1) buffer Output { int data[]; } output_;
layout(set = 0, binding = 2) coherent buffer Sums { int data[]; } sums;
layout(set = 0, binding = 3) buffer State { uint flag[]; } state;
shared int before;
shared uint place;

void main() {
  uint t = gl_LocalInvocationID.x;
  if (t == 0) {
    place = gl_WorkGroupID.x;
    int sum = 0;
    if (place > 0) {
      while (atomicLoad(state.flag[place - 1], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                        gl_SemanticsAcquire) == 0) {
      }
      sum = sums.data[place - 1];
    }
    before = sum;
    sums.data[place] = sum + input_.data[2 * place] + input_.data[2 * place + 1];
    atomicStore(state.flag[place], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                gl_SemanticsRelease);
  }
  barrier();
  int own = input_.data[2 * place] + (t == 0 ? 0 : input_.data[2 * place + 1]);
  output_.data[2 * place + t] = before + own;
}
