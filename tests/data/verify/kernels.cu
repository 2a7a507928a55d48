// Launched as 16 workgroups of 64 threads. ok_...: all is verified; race_..., div_..., fail_...: that
// property is not. What each one is about stands above it.

#include <cooperative_groups.h>

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
// Numbers that are drawn differ, by as much as is added.
__global__ void ok_ticket(int* a, unsigned* t) { unsigned i = atomicAdd(t, 1u); a[i] = threadIdx.x; }
__global__ void ok_ticket_pairs(int* a, unsigned* t) { unsigned i = atomicAdd(t, 2u); a[i] = threadIdx.x; a[i + 1] = blockIdx.x; }
__global__ void ok_ticket_group(int* a) { __shared__ unsigned c; __shared__ int s[64]; if (threadIdx.x == 0) c = 0; __syncthreads(); unsigned i = atomicAdd(&c, 1u); s[i] = threadIdx.x; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x]; }
__global__ void ok_ticket_rounds(int* a, unsigned* t) { for (int k = -1; k <= 1; k += 2) if (threadIdx.x > 3 + k) a[atomicAdd(t, 1u)] = threadIdx.x; }
__global__ void race_ticket_rounds(int* a, unsigned* t) { for (int k = 0; k < 3; k++) { unsigned i = atomicAdd(t, 1u); a[i / 2] = threadIdx.x + 64 * blockIdx.x; } }
__global__ void race_ticket_reset_rounds(int* a, unsigned* t) { __shared__ unsigned c; for (int k = 0; k < 3; k++) { if (threadIdx.x == 0) c = 0; __syncthreads(); a[blockIdx.x * 64 + atomicAdd(&c, 1u)] = threadIdx.x; } }
__global__ void race_ticket_endless(int* a, unsigned* t, unsigned n) { for (unsigned k = 0; k < n; k++) a[atomicAdd(t, 1u) & 65535] = threadIdx.x; }
__global__ void race_ticket_pairs(int* a, unsigned* t) { unsigned i = atomicAdd(t, 1u); a[i] = threadIdx.x; a[i + 1] = blockIdx.x; }
__global__ void race_ticket_unknown(int* a, unsigned* t, unsigned n) { unsigned i = atomicAdd(t, n); a[i] = threadIdx.x; }
__global__ void race_ticket_two(int* a, unsigned* t) { unsigned i = atomicAdd(t + (threadIdx.x & 1), 1u); a[i] = threadIdx.x; }
__global__ void race_ticket_group(int* a) { __shared__ unsigned c; if (threadIdx.x == 0) c = 0; __syncthreads(); unsigned i = atomicAdd(&c, 1u); a[i] = threadIdx.x + 64 * blockIdx.x; }
__global__ void race_ticket_reset(int* a, unsigned* t) { __shared__ unsigned c; if (threadIdx.x == 0) c = 0; __syncthreads(); unsigned i = atomicAdd(&c, 1u); a[blockIdx.x * 64 + i] = threadIdx.x; __syncthreads(); if (threadIdx.x == 0) c = 0; __syncthreads(); i = atomicAdd(&c, 1u); a[blockIdx.x * 64 + i] = threadIdx.x; }

// Loops whose rounds follow from the launch.
__global__ void ok_unrolled(int* a) { for (int i = 0; i < 4; i++) a[(blockIdx.x * 64 + threadIdx.x) * 4 + i] = i; }
__global__ void race_unrolled(int* a) { for (int i = 0; i < 4; i++) a[(blockIdx.x * 64 + threadIdx.x) * 3 + i] = i; }
__global__ void ok_unrolled_tree(int* a) { __shared__ int s[64]; unsigned t = threadIdx.x; s[t] = a[blockIdx.x * 64 + t]; for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) { __syncthreads(); if (t < d) s[t] += s[t + d]; } if (t == 0) a[blockIdx.x * 64] = s[0]; }
__global__ void race_unrolled_tree(int* a) { __shared__ int s[64]; unsigned t = threadIdx.x; s[t] = a[blockIdx.x * 64 + t]; for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) { if (d != 4) __syncthreads(); if (t < d) s[t] += s[t + d]; } if (t == 0) a[blockIdx.x * 64] = s[0]; }
__global__ void ok_unrolled_nested(int* a) { for (int i = 0; i < 3; i++) for (int j = 0; j <= i; j++) a[(i * 4 + j) * 4096 + blockIdx.x * 64 + threadIdx.x] = j; }
__global__ void race_unrolled_nested(int* a) { for (int i = 0; i < 3; i++) for (int j = 0; j <= i; j++) a[(i * 4 + j) * 63 + blockIdx.x * 640 + threadIdx.x] = i; }
// Rounds that are too many pairs of accesses for a first proof, and need no invariant in a second one.
__global__ void ok_rows_of_argument(int* a, int n) { __requires(n > 0 && n <= 64); if (blockIdx.x == 0 && (int)threadIdx.x < n) for (int r = 0; r < 16; r++) a[n * r + threadIdx.x] += 1; }
__global__ void race_rows_of_argument(int* a, int n) { __requires(n > 0 && n <= 64); if (blockIdx.x == 0 && (int)threadIdx.x <= n) for (int r = 0; r < 16; r++) a[n * r + threadIdx.x] += 1; }
__global__ void ok_unrolled_do(int* a) { int i = 0; do { a[(blockIdx.x * 64 + threadIdx.x) * 3 + i] = i; i++; } while (i < 3); a[(blockIdx.x * 64 + threadIdx.x) * 3 + i - 1] = 7; }
__global__ void race_unrolled_do(int* a) { int i = 0; do { a[(blockIdx.x * 64 + threadIdx.x) * 3 + i] = i; i++; } while (i < 3); a[(blockIdx.x * 64 + threadIdx.x) * 3 + i] = 7; }
__global__ void div_unrolled(int* a) { for (int i = 0; i < 4; i++) if (threadIdx.x > i) __syncthreads(); }

// Calls by pointers.
typedef int (*Number)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int twice_and_one(int x) { return 2 * x + 1; }
__device__ int all_the_same(int) { return 3; }
__global__ void ok_by_pointer(int* a, int n) { Number f = n > 3 ? twice : twice_and_one; a[f(blockIdx.x * 64 + threadIdx.x)] = n; }
__global__ void race_by_pointer(int* a, int n) { Number f = n > 3 ? twice : all_the_same; a[f(blockIdx.x * 64 + threadIdx.x)] = threadIdx.x; }

// What earlier rounds did, taken apart by two strides.
__global__ void ok_taken_apart(int* a, int h) { for (int i = 0; i < h; i++) for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < 128; j += gridDim.x * blockDim.x) a[i * 128 + j] = i; }
__global__ void race_taken_apart(int* a, int h) { for (int i = 0; i < h; i++) for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < 129; j += 128) a[i * 128 + j] = i; }
// Two buffers that take turns.
__global__ void ok_turns(int* p, int* q, int n) { int* x = p + blockIdx.x * 64; int* y = q + blockIdx.x * 64; for (int i = 0; i < n; i++) { x[threadIdx.x] = y[63 - threadIdx.x]; __syncthreads(); int* t = x; x = y; y = t; } }
__global__ void race_turns(int* p, int* q, int n) { int* x = p + blockIdx.x * 64; int* y = q + blockIdx.x * 64; for (int i = 0; i < n; i++) { x[threadIdx.x] = y[63 - threadIdx.x]; int* t = x; x = y; y = t; } }

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

// Right only where threads of a warp execute together, and wrong there, too.
__global__ void race_warp(int* a) { __shared__ int s[64]; s[threadIdx.x] = threadIdx.x; a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1]; s[threadIdx.x] = 3; }
__global__ void race_warps(int* a) { __shared__ int s[64]; s[threadIdx.x] = threadIdx.x; a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 33]; s[threadIdx.x] = 3; }

// Copies of what a thread holds itself.
struct Place { int x, y; };
__global__ void ok_copied(int* a) { Place p; p.x = blockIdx.x * 64 + threadIdx.x; p.y = 1; Place q = p; a[q.x] = q.y + threadIdx.x; }
__global__ void race_copied(int* a) { Place p; p.x = blockIdx.x * 64 + threadIdx.x; p.y = 1; Place q = p; p = q; p.x = p.x / 2; a[p.x] = q.y + threadIdx.x; }
__global__ void race_copied_some(int* a, int n) { Place p, q; p.x = blockIdx.x * 64 + threadIdx.x; q.x = 3; p.y = q.y = 1; if (n > threadIdx.x) q = p; a[q.x] = threadIdx.x; }
// One number doubles, the other one halves and stays 0.
__global__ void ok_levels(int* a, int n) { __shared__ int s[128]; int t = threadIdx.x; s[t] = s[t + 64] = 0; __syncthreads(); int o = 1, m = 64; for (int i = 0; i < n; i++) { if (t < m) { int k = 2 * o * t; int x = s[k], y = s[k + o]; s[k] = x + y; s[k + o] = x - y; } m >>= 1; o <<= 1; __syncthreads(); } a[blockIdx.x * 64 + t] = s[t]; }
__global__ void ok_stated_rounds(int* a) { int i = 0; while (__invariant(i % 64 == 0), __invariant(0 <= i & i <= 640000), i < 640000) { a[blockIdx.x * 1000000 + i + threadIdx.x] = threadIdx.x; i += 64; } }
__global__ void ok_chunk_of_argument(int* a, int chunk) { __requires(0 < chunk & chunk < 100); int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < chunk; k++) a[i * chunk + k] = i; }
__global__ void race_chunk_of_argument(int* a, int chunk) { __requires(0 < chunk & chunk < 100); int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k <= chunk; k++) a[i * chunk + k] = i; }
__global__ void race_warp_rounds(int* a, int n) { __shared__ int s[32]; if (threadIdx.x < 32) for (int i = 0; i < n; i++) { s[threadIdx.x] = i + threadIdx.x; a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1]; } }
// A workgroup that does not come to the barriers of a loop has written before it all the same.
__global__ void ok_some_rounds(int* a, int* b, int n) { a[blockIdx.x * 64 + threadIdx.x] = 1; if (blockIdx.x < 3) for (int i = 0; i < n; i++) { b[blockIdx.x * 64 + threadIdx.x] = i; __syncthreads(); } }
// Loops of few rounds in loops of many.
__global__ void ok_tiles(float* c, const float* a, int w) { __shared__ float s[64]; float x = 0; for (int i = 0; i < w; i += 64) { s[threadIdx.x] = a[i + threadIdx.x]; __syncthreads(); for (int k = 0; k < 16; k++) x += s[4 * k]; __syncthreads(); } c[blockIdx.x * 64 + threadIdx.x] = x; }
__global__ void race_tiles(float* c, const float* a, int w) { __shared__ float s[64]; float x = 0; for (int i = 0; i < w; i += 64) { s[threadIdx.x] = a[i + threadIdx.x]; __syncthreads(); for (int k = 0; k < 16; k++) x += s[4 * k]; } c[blockIdx.x * 64 + threadIdx.x] = x; }
__global__ void ok_row_sums(int* y, const int* a, int rows, int w) { __shared__ int s[64]; for (int r = blockIdx.x; r < rows; r += gridDim.x) { int x = 0; for (int k = threadIdx.x; k < w; k += 64) x += a[r * w + k]; s[threadIdx.x] = x; for (int d = 32; d > 0; d /= 2) { __syncthreads(); if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; } if (threadIdx.x == 0) y[r] = s[0]; __syncthreads(); } }
__global__ void race_row_sums(int* y, const int* a, int rows, int w) { __shared__ int s[64]; for (int r = blockIdx.x; r < rows; r += gridDim.x) { int x = 0; for (int k = threadIdx.x; k < w; k += 64) x += a[r * w + k]; s[threadIdx.x] = x; for (int d = 32; d > 0; d /= 2) { __syncthreads(); if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; } if (threadIdx.x == 0) y[r] = s[0]; } }
// Structs that are passed by value keep their parts, and what is written over them counts.
struct Lanes { unsigned mask; int width; };
__device__ int sum_of_lanes(Lanes g, int x) { for (int k = g.width / 2; k > 0; k /= 2) x += __shfl_xor_sync(g.mask, x, k); return x; }
__global__ void ok_by_value(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; Lanes g; g.mask = 0xffffffffu; g.width = 4; Lanes h = g; a[i] = sum_of_lanes(h, a[i]); }
struct Cell { int x, y; };
__device__ int index_of_cell(Cell p) { p.x += p.y; return p.x; }
__global__ void ok_parts(int* a) { Cell p = {(int)threadIdx.x, (int)blockIdx.x * 64}, q = p; q.x = 0; a[index_of_cell(p) + q.x] = 1; }
__global__ void race_parts(int* a) { Cell p = {(int)threadIdx.x, (int)blockIdx.x * 64}, q = p; q.x = 0; a[index_of_cell(q)] = threadIdx.x; }

// A copy of a block goes on until it is waited for, whatever barrier there is.
__global__ void ok_copy_of_block(int* a, const int* b) { __shared__ int s[64]; auto block = cooperative_groups::this_thread_block(); cooperative_groups::memcpy_async(block, s, b + 64 * blockIdx.x, 256); cooperative_groups::wait(block); a[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x]; }
__global__ void race_copy_of_block(int* a, const int* b) { __shared__ int s[64]; auto block = cooperative_groups::this_thread_block(); cooperative_groups::memcpy_async(block, s, b + 64 * blockIdx.x, 256); __syncthreads(); a[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x]; }
// Pointers in memory of a thread's own: in arrays, and in what closures hold.
__global__ void ok_pointer_array(int* a, int* b, int n) { int* p[2] = {a, b}; p[n & 1][blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }
__global__ void race_pointer_array(int* a, int* b, int n) { int* p[2] = {a, b}; if (threadIdx.x == 5) p[0] = b + 7; int i = blockIdx.x * 64 + threadIdx.x; p[0][i] = threadIdx.x; p[1][i] = 2; }
__global__ void ok_pointer_rounds(int* a, int* b, int n) { int* p[2] = {a + blockIdx.x * 64, b + blockIdx.x * 64}; for (int i = 0; i < n; i++) { p[i & 1][threadIdx.x] = p[1 - (i & 1)][63 - threadIdx.x]; __syncthreads(); } }
__global__ void race_pointer_rounds(int* a, int* b, int n) { int* p[2] = {a + blockIdx.x * 64, b + blockIdx.x * 64}; for (int i = 0; i < n; i++) { p[i & 1][threadIdx.x] = p[1 - (i & 1)][63 - threadIdx.x]; } }
__global__ void race_pointer_changed(int* a, int* b, int n) { int* p[2] = {a, b}; for (int i = 0; i < n; i++) { p[0][blockIdx.x * 64 + threadIdx.x] = threadIdx.x; p[0] = p[1] + i; p[1] = a; } }
struct Rows { int* p; int width; __device__ int& operator()(int y, int x) const { return p[y * width + x]; } };
template <class Body> __device__ void for_rows(Body body) { for (int y = 0; y < 40; y++) body(y, threadIdx.x); }
__global__ void ok_closure(int* a, int* b) { Rows r{a + blockIdx.x * 2560, 64}, q{b, 64}; for_rows([&](int y, int x) { r(y, x) = q(x, y); }); }
__global__ void race_closure(int* a, int* b) { Rows r{a + blockIdx.x * 2560, 63}, q{b, 64}; for_rows([&](int y, int x) { r(y, x) = q(x, y); }); }
// An array of a thread's own whose index is not known, bits in reverse.
__global__ void ok_table(int* a, int d) { int t[4]; t[0] = 2; t[1] = 3; t[2] = 1; t[3] = 0; a[(blockIdx.x * 64 + threadIdx.x) * 4 + t[d & 3]] = threadIdx.x; }
__global__ void race_table(int* a, int d) { int t[4]; t[0] = 2; t[1] = 5; t[2] = 1; t[3] = 0; a[(blockIdx.x * 64 + threadIdx.x) * 4 + t[(d + threadIdx.x) & 3]] = threadIdx.x; }
__global__ void ok_reversed_bits(int* a) { a[__brev(blockIdx.x * 64 + threadIdx.x) >> 22] = threadIdx.x; }
__global__ void race_reversed_bits(int* a) { a[__brev(blockIdx.x * 64 + threadIdx.x) >> 23] = blockIdx.x; }
// Loops of one round, and of rounds that ranges of ids decide.
__global__ void ok_one_round(int* a, int n) { __shared__ int s[64]; for (int g = 64 * blockIdx.x; g <= 1023; g += 1024) for (int k = 0; k < n; k++) { s[threadIdx.x] = k; __syncthreads(); a[g + threadIdx.x] += s[63 - threadIdx.x]; __syncthreads(); } }
__global__ void race_one_round(int* a, int n) { __shared__ int s[64]; for (int g = 64 * blockIdx.x; g <= 1023; g += 1024) for (int k = 0; k < n; k++) { s[threadIdx.x] = k + threadIdx.x; __syncthreads(); a[g + threadIdx.x] += s[63 - threadIdx.x]; } }
__global__ void ok_rounds_of_ids(int* a, int* b) { __shared__ int s[256]; for (int c = threadIdx.x; c <= 255; c += 64) s[c] = b[c]; __syncthreads(); for (int i = 0; i < 4; i++) { int x = 0; for (int j = 0; j < 20; j++) x += s[(threadIdx.x + j) & 255]; a[blockIdx.x * 256 + i * 64 + threadIdx.x] = x; } }
__global__ void race_rounds_of_ids(int* a, int* b) { __shared__ int s[257]; for (int c = threadIdx.x; c <= 255; c += 64) s[c + (c > 191)] = b[c]; s[3 * threadIdx.x] = threadIdx.x; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x]; }
__global__ void div_one_round(int n) { for (int g = 64 * blockIdx.x; g <= 1023; g += 1024) for (int k = 0; k < n + threadIdx.x; k++) __syncthreads(); }
// Differences of which only numbers below 0 show that they matter.
__global__ void race_signs(int* a, int k) { __requires(k >= 0 & k < 64); int t = blockIdx.x * 64 + threadIdx.x; if (a[t] + a[k] < a[t]) a[t] = a[t] + a[k]; }
// Halves that take turns.
__global__ void ok_turns_by_index(int* a, int n) { __shared__ int s[2][64]; int now = 0, t = threadIdx.x; s[0][t] = t; for (int i = 0; i < n; i++) { __syncthreads(); s[1 - now][t] = s[now][63 - t]; now = 1 - now; } a[blockIdx.x * 64 + t] = s[now][t]; }
__global__ void race_turns_by_index(int* a, int n) { __shared__ int s[2][64]; int now = 0, t = threadIdx.x; s[0][t] = t; for (int i = 0; i < n; i++) { __syncthreads(); s[1 - now][t] = s[now][63 - t]; now = 1 - now; } a[blockIdx.x * 64 + t] = s[now][63 - t]; }
// Threads leave a loop in different rounds: tiles with a border.
__global__ void ok_border(int* a, int* b, int n) { __shared__ int s[70]; int i = threadIdx.x; for (; i < 70; i += 64) s[i] = b[i + n]; __syncthreads(); a[blockIdx.x * 256 + i] = s[threadIdx.x] + s[threadIdx.x + 6]; }
__global__ void race_border(int* a, int* b, int n) { __shared__ int s[70]; int i = threadIdx.x; for (; i < 70; i += 63) s[i] = i + threadIdx.x; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x]; }
__global__ void race_behind_border(int* a) { int i = threadIdx.x; for (; i < 70; i += 64) {} a[blockIdx.x * 256 + i - i / 128 * 4] = threadIdx.x; }
__global__ void ok_border_of_tile(int* a, int* b, int n) { __shared__ int s[10][20]; int x = threadIdx.x & 15, y = threadIdx.x >> 4; for (int r = y; r < 10; r += 4) for (int c = x; c < 20; c += 16) s[r][c] = b[r * n + c]; __syncthreads(); int v = 0; for (int k = 0; k < 5; k++) v += s[y + k][x + k - k / 4]; a[blockIdx.x * 64 + threadIdx.x] = v; }
__global__ void race_border_of_tile(int* a, int* b, int n) { __shared__ int s[10][19]; int x = threadIdx.x & 15, y = threadIdx.x >> 4; for (int r = y; r < 9; r += 4) for (int c = x; c < 20; c += 16) s[r][c] = r + c; __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[y][x]; }
__global__ void div_border() { for (int i = threadIdx.x; i < 70; i += 64) __syncthreads(); }
