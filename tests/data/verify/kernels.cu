// Launched as 16 workgroups of 64 threads. ok_...: all is verified; race_..., div_..., fail_...: that
// property is not. What each one is about stands above it.

// One element for each thread.
__global__ void ok_one_each(int* a, int* b) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = b[i] + 1; }
__global__ void race_neighbour(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = a[i + 1]; }
__global__ void ok_guarded(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void race_one_place(int* a) { a[0] = threadIdx.x; }
// Two writes of the same value are benign.
__global__ void ok_same_value(int* a) { a[0] = 7; }
// Bytes count: an int and a short of its neighbour.
__global__ void race_bytes(char* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; *(int*)(a + 4 * i) = i; *(short*)(a + 4 * i + 4) = 1; }
__global__ void ok_bytes(char* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; *(int*)(a + 8 * i) = i; *(short*)(a + 8 * i + 4) = 1; }

// Barriers order workgroup memory, and global memory inside a workgroup alone.
__global__ void ok_reverse(int* a) { __shared__ int s[64]; s[threadIdx.x] = threadIdx.x; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; }
__global__ void race_reverse(int* a) { __shared__ int s[64]; s[threadIdx.x] = threadIdx.x; a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; }
__global__ void race_groups(int* a) { a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; __syncthreads(); int x = a[(blockIdx.x * 64 + 64 + threadIdx.x) % 1024]; a[2048 + blockIdx.x * 64 + threadIdx.x] = x; }
__global__ void ok_inside_group(int* a) { a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; __syncthreads(); int x = a[blockIdx.x * 64 + 63 - threadIdx.x]; a[2048 + blockIdx.x * 64 + threadIdx.x] = x; }

// Divergence.
__global__ void div_some(int* a) { if (threadIdx.x < 3) __syncthreads(); }
__global__ void div_return(int n) { if ((int)threadIdx.x >= n) return; __syncthreads(); }
__global__ void div_rounds() { for (int i = 0; i < threadIdx.x; i++) __syncthreads(); }
__global__ void ok_by_group(int* a) { if (blockIdx.x < 3) __syncthreads(); }
__global__ void div_data(int* a) { if (a[threadIdx.x] == 0) __syncthreads(); }
// Both threads read one place that nobody writes.
__global__ void ok_uniform_data(int* a) { if (a[blockIdx.x] == 0) __syncthreads(); }

// Loops: strides (r10, r1), barriers (r12, r13), rows (r0, r9), powers of two.
__global__ void ok_strided(int* a, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = i; }
__global__ void race_strided(int* a, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) a[i] = i + threadIdx.x; }
__global__ void ok_pointer(int* a, int n) { int* p = a + blockIdx.x * blockDim.x + threadIdx.x; for (int i = 0; i < n; i++) { *p = i; p += blockDim.x * gridDim.x; } }
__global__ void ok_do_while(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; do { a[i] = 1; i += blockDim.x * gridDim.x; } while (i < n); }
__global__ void ok_rounds(int* a, int n) { __shared__ int s[64]; for (int i = 0; i < n; i++) { s[threadIdx.x] = i; __syncthreads(); int x = s[63 - threadIdx.x]; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = x; } }
__global__ void race_rounds(int* a, int n) { __shared__ int s[64]; for (int i = 0; i < n; i++) { s[threadIdx.x] = i + threadIdx.x; __syncthreads(); int x = s[63 - threadIdx.x]; a[blockIdx.x * 64 + threadIdx.x] = x; } }
__global__ void ok_rows(int* a) { for (int i = 0; i < 16; i++) a[(blockIdx.x * blockDim.x + threadIdx.x) * 16 + i] = i; }
__global__ void race_rows(int* a) { for (int i = 0; i < 17; i++) a[(blockIdx.x * blockDim.x + threadIdx.x) * 16 + i] = i + threadIdx.x; }
__global__ void ok_reduce(int* a, int* out) { __shared__ int s[64]; s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x]; __syncthreads(); for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); } if (threadIdx.x == 0) out[blockIdx.x] = s[0]; }
__global__ void race_reduce(int* a, int* out) { __shared__ int s[64]; s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x]; __syncthreads(); for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; } if (threadIdx.x == 0) out[blockIdx.x] = s[0]; }
__global__ void ok_nested(int* a, int w) { __requires(w == 256); for (int j = 0; j < 16; j++) for (int i = threadIdx.x; i < w; i += blockDim.x) a[(blockIdx.x * 16 + j) * w + i] = i + j; }
// Threads leave a loop in different rounds; what follows is for all.
__global__ void ok_apart(int* a) { __shared__ int s[64]; int x = 0; for (int i = 0; i < threadIdx.x; i++) x += i; s[threadIdx.x] = x; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; }

// Atomics.
__global__ void ok_atomics(unsigned* a) { atomicAdd(a, 1u); }
__global__ void race_atomics(unsigned* a) { atomicAdd(a, 1u); if (threadIdx.x == 3) a[0] = 3; }
__global__ void race_ticket(int* a, unsigned* t) { unsigned i = atomicAdd(t, 1u); a[i] = threadIdx.x; }

// Pointers: from a select, and from memory, which may be to anywhere.
__global__ void ok_select(int* a, int* b, int n) { int* p = n > 3 ? a : b; p[blockIdx.x * 64 + threadIdx.x] = 1; }
__global__ void race_select(int* a, int* b, int n) { int* p = threadIdx.x > 3 ? a : b; p[0] = threadIdx.x; }
__global__ void race_loaded(int** a, int* b) { *a[threadIdx.x] = threadIdx.x; }
__global__ void race_loaded_read(int** a, int* b) { b[blockIdx.x * 64 + threadIdx.x] = *a[threadIdx.x]; }
// A call that writes through pointers.
__global__ void race_by_call(float* a) { sincosf(1.0f + threadIdx.x, a, a + 1); }

// Claims.
__global__ void ok_claim(int n) { for (int i = 0; i < n; i++) __assert(i >= 0); }
__global__ void fail_claim() { __assert(threadIdx.x < 63); }
__global__ void ok_invariant(int n) { for (int i = 0; __invariant(i >= 0), i < n; i++) {} }
__global__ void fail_invariant(int n) { for (int i = 0; __invariant(i < 3), i < n; i++) {} }
__global__ void ok_required(int* a, int n) { __requires(n < 100); __requires(0 <= n); __assert(n + 1 > 0); }
// An invariant of both threads is not known of one that has left.
__global__ void race_left(int* a, int n) { int i = 0; for (; i < threadIdx.x; i++) {} a[blockIdx.x * 64 + (i & 31)] = threadIdx.x; }
