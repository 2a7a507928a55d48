// Claims that cannot be evaluated where they are about: never verified.
__device__ void grow(int* x) { __ensures(*x > 3 && *x < 5); *x += 5; }
__global__ void branches_on_memory(int* a) { int x = 4; grow(&x); a[blockIdx.x * blockDim.x + threadIdx.x] = x; }
__device__ int no_result(int* x) { __ensures(__return_val_ptr() == x); return *x; }
__global__ void returns_otherwise(int* a) { int x = 4; a[blockIdx.x * blockDim.x + threadIdx.x] = no_result(&x); }
