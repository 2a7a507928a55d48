// Block 1 waits for a flag that block 0 raises.
// headway: kernel follow grid 2 block 1 buffer flag=1:zero
// headway: expect safe, verified, pass HSA, fail CUDA
__global__ void follow(int* flag) {
  if (blockIdx.x == 0) atomicExch(flag, 1);
  else
    while (atomicAdd(flag, 0) == 0) {}
}
