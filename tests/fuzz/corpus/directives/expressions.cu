// headway: kernel k grid 2 block 4 arg n=3 buffer in=n*4:{1,2,3}, out=gridDim.x:zero
__global__ void k(int* in, int* out, int n) { out[0] = in[n]; }
