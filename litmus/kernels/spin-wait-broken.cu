// Broken: block 0 raises the flag by a plain store, which races with the loads.
// headway: kernel follow grid 2 block 1 buffer flag=1:zero
// headway: expect error race, violated race
__global__ void follow(int* flag) {
  if (blockIdx.x == 0) *flag = 1;
  else
    while (atomicAdd(flag, 0) == 0) {}
}
