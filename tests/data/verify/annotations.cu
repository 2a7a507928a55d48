// What authors say of kernels, launched as those of kernels.cu: ok_... holds and helps, fail_... does not
// hold, race_... does not help.

// A postcondition is about the end: of the kernel, and of a function that it calls.
__global__ void ok_ensures(int* a, int n) { __requires(n == 64); __ensures(n == 64); a[blockIdx.x * blockDim.x + threadIdx.x] = n; }
__global__ void fail_ensures(int* a, int n) { __requires(n < 64); __ensures(n < 63); a[blockIdx.x * blockDim.x + threadIdx.x] = n; }
__device__ int half_of(int x) { __requires(x >= 0); __ensures(__return_val_int() <= __old_int(x)); x = x / 2; return x; }
__device__ int twice_of(int x) { __ensures(__return_val_int() <= x); return 2 * x; }
__device__ bool is_odd(int x) { __ensures(__return_val_bool() == ((x & 1) == 1)); return x % 2 != 0; }
__device__ bool is_even(int x) { __ensures(__return_val_bool() == ((x & 1) == 1)); return x % 2 == 0; }
__global__ void ok_ensures_called(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = half_of(threadIdx.x); }
__global__ void fail_ensures_called(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = twice_of(threadIdx.x); }
__global__ void fail_requires_called(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = half_of((int)threadIdx.x - 1); }
__global__ void ok_ensures_bool(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = is_odd(threadIdx.x); }
__global__ void fail_ensures_bool(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = is_even(threadIdx.x); }
__device__ int first_or(int x, int n) { __ensures(__implies(n > 3, __return_val_int() == x)); if (n > 3) return x; return n; }
__device__ int wrong_or(int x, int n) { __ensures(__implies(n > 3, __return_val_int() == x)); if (n > 4) return x; return n; }
__global__ void ok_ensures_returns(int* a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = first_or(threadIdx.x, n); }
__global__ void fail_ensures_returns(int* a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = wrong_or(threadIdx.x, n); }
// A condition that branches, of arguments alone.
__global__ void ok_ensures_both(int* a, int n) { __requires(n == 4); __ensures(n > 3 && n < 5); a[blockIdx.x * blockDim.x + threadIdx.x] = n; }
__global__ void fail_ensures_both(int* a, int n) { __requires(n > 3); __ensures(n > 3 && n < 5); a[blockIdx.x * blockDim.x + threadIdx.x] = n; }
// Of memory it says what is there at the end, and reads it then alone.
__global__ void fail_ensures_memory(int* a, int* b) { __ensures(a[threadIdx.x] == 3); a[threadIdx.x] = 4; }
__device__ void no_negative(int* x) { __ensures(*x >= 0); if (*x < 0) *x = 0; }
__device__ void no_positive(int* x) { __ensures(*x >= 0); if (*x > 0) *x = 0; }
__global__ void ok_ensures_of_pointer(int* a, int n) { int x = n; no_negative(&x); a[blockIdx.x * blockDim.x + threadIdx.x] = x; }
__global__ void fail_ensures_of_pointer(int* a, int n) { int x = n; no_positive(&x); a[blockIdx.x * blockDim.x + threadIdx.x] = x; }

// Barrier invariants: what threads wrote is known behind the barrier, at the threads that are named.
__global__ void ok_barrier_known(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 63 - t; __barrier_invariant(s[t] == 63 - t, t); __syncthreads(); a[blockIdx.x * 64 + s[t]] = t; }
__global__ void race_barrier_unknown(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 63 - t; __barrier_invariant(s[t] > 0 | t > 3, t); __syncthreads(); a[blockIdx.x * 64 + s[t]] = t; }
__global__ void fail_barrier(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 62 - t; __barrier_invariant(s[t] == 63 - t, t); __syncthreads(); a[blockIdx.x * 64 + s[t]] = t; }
// At another thread, in the numbered form.
__global__ void ok_barrier_other(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 63 - t; __barrier_invariant_2(s[t] == 63 - t, t, t ^ 1); __syncthreads(); a[blockIdx.x * 64 + s[t ^ 1]] = t; }
__global__ void race_barrier_not_named(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 63 - t; __barrier_invariant(s[t] == 63 - t, t); __syncthreads(); a[blockIdx.x * 64 + s[(t * 7) & 63]] = t; }
// Nothing is known of a thread that there is not, and of what is computed otherwise in each thread.
__global__ void fail_barrier_outside(int* a) { __shared__ int s[128]; int t = threadIdx.x; s[t] = 3; __barrier_invariant(s[t] == 3, t + 1); __syncthreads(); __assert(s[t + 1] == 3); }
__global__ void ok_barrier_inside(int* a) { __shared__ int s[128]; int t = threadIdx.x; s[t] = 3; __barrier_invariant(s[t] == 3, t + 1); __syncthreads(); __assert(t == 63 | s[t + 1] == 3); }
__global__ void fail_barrier_own_data(int* a, int* b) { __shared__ int s[64]; int t = threadIdx.x, x = b[t]; s[t] = x; __barrier_invariant(s[t] == x, 0); __syncthreads(); __assert(s[0] == x); }
__global__ void ok_barrier_function(int* a, int* b) { __shared__ int s[64]; int t = threadIdx.x; s[t] = b[t]; __barrier_invariant(s[t] == b[t], 0); __syncthreads(); __assert(s[0] == b[0]); }
// What is written behind the claim is not what it speaks of.
__global__ void fail_barrier_overwritten(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 3; __barrier_invariant(s[t] == 3, t); s[t] = 4; __syncthreads(); __assert(s[t] == 3); }
__global__ void fail_barrier_later(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 3; __barrier_invariant(s[t] == 3, t); __syncthreads(); s[t] = 4; __syncthreads(); __assert(s[t] == 3); }
__global__ void race_barrier_reads_others(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = t; __barrier_invariant(s[63 - t] == 63 - t, t); __syncthreads(); a[blockIdx.x * 64 + s[t]] = t; }
__global__ void ok_barrier_neighbour(int* a) { __shared__ unsigned s[64]; unsigned t = threadIdx.x; s[t] = 5 + 2 * t; __barrier_invariant(s[t] == 5 + 2 * t, t, t + 1); __syncthreads(); a[blockIdx.x * 1000 + s[t]] = t; if (t < 63) a[blockIdx.x * 1000 + s[t + 1] - 1] = t; }
__global__ void ok_barrier_data(int* a, unsigned* b) { __shared__ unsigned s[64]; unsigned t = threadIdx.x; s[t] = 2 * t + (b[t] & 1); __barrier_invariant(s[t] >= 2 * t & s[t] < 2 * t + 2, t); __syncthreads(); a[blockIdx.x * 128 + s[t]] = t; }
__global__ void race_barrier_data(int* a, unsigned* b) { __shared__ unsigned s[64]; unsigned t = threadIdx.x; s[t] = 2 * t + (b[t] & 3); __barrier_invariant(s[t] >= 2 * t & s[t] < 2 * t + 4, t); __syncthreads(); a[blockIdx.x * 256 + s[t]] = t; }

// Of both threads.
__global__ void ok_all(int n) { __assert(__all(threadIdx.x < 64)); __assert(__uniform_int(n) & __uniform_bool(n > 3)); }
__global__ void fail_all() { __assert(__all(threadIdx.x < 63)); }
__global__ void fail_uniform() { __assert(__uniform_int(threadIdx.x)); }
__global__ void fail_uniform_bool() { __assert(__uniform_bool(threadIdx.x == 2)); }
__global__ void ok_distinct() { __assert(__distinct_int(blockIdx.x * 64 + threadIdx.x)); __assert(__implies(__same_group, __distinct_int(threadIdx.x))); }
__global__ void fail_distinct() { __assert(__distinct_int(threadIdx.x)); }
__global__ void ok_exclusive() { __assert(__exclusive(blockIdx.x * 64 + threadIdx.x == 3)); }
__global__ void fail_exclusive() { __assert(__exclusive(threadIdx.x == 3)); }
__global__ void ok_other() { __assert(__implies(__same_group, __other_int(blockIdx.x) == blockIdx.x) & __other_bool(threadIdx.x < 64)); }
__global__ void fail_other() { __assert(__other_int(blockIdx.x) == blockIdx.x); }
__global__ void ok_enabled(int n) { if (n > 3) __assert(__enabled()); }
// Of what has been accessed since the last barrier.
__global__ void ok_log(int* a, int* b) { int i = blockIdx.x * 64 + threadIdx.x; b[i] = a[i]; __assert(__no_write(a) & __no_read(b)); __assert(__write_implies(b, __write_offset_bytes(b) == 4 * i)); __assert(__read_implies(a, __read_offset(a) == i)); }
__global__ void fail_no_write(int* a) { a[blockIdx.x * 64 + threadIdx.x] = 1; __assert(__no_write(a)); }
__global__ void fail_no_read(int* a, int* b) { int i = blockIdx.x * 64 + threadIdx.x; a[i] = b[i] + a[i]; __assert(__no_read(a)); }
__global__ void fail_write_offset(int* a) { a[blockIdx.x * 64 + threadIdx.x] = 1; __assert(__implies(__write(a), __write_offset(a) == threadIdx.x)); }
__global__ void fail_read_offset(int* a, int* b) { int i = blockIdx.x * 64 + threadIdx.x; a[i] = b[i] + a[i]; __assert(__implies(__read(a), __read_offset_bytes(a) == threadIdx.x)); }
// Of numbers and pointers.
__global__ void ok_numbers(int n) { __requires(__is_pow2(n) & n > 0); __assert(__mod_pow2(threadIdx.x, 8) == threadIdx.x % 8); __assert((n & (n - 1)) == 0); __assert(__implies(__add_noovfl(threadIdx.x, 5u), true) & __add_noovfl(threadIdx.x, 7u)); }
__global__ void fail_pow2(int n) { __requires(__is_pow2(n)); __assert(n > 0); }
__global__ void fail_noovfl(unsigned n) { __assert(__add_noovfl(n, 7u)); }
__global__ void ok_noovfl(int n) { int m = __add_noovfl_int(n, 7); __assert(m > n); }
__global__ void ok_pointers(int* a, int* b) { int* p = a + threadIdx.x; __assert(__ptr_base(p) == __ptr_base(a)); __assert(__ptr_base(a) != __ptr_base(b)); __assert(__ptr_offset_bytes(p) == 4 * threadIdx.x); }
__global__ void fail_pointers(int* a, int* b) { __assert(__ptr_base(a) == __ptr_base(b)); }
__global__ void fail_pointer_offset(int* a) { int* p = a + threadIdx.x; __assert(__ptr_offset_bytes(p) == threadIdx.x); }
// Of loops.
__global__ void ok_function_wide(int* a, int n) { int i = blockIdx.x * 64 + threadIdx.x; __function_wide_invariant(__write_implies(a, __write_offset(a) == i)); for (int k = 0; k < n; k++) a[i] = k; for (int k = 0; k < n; k++) a[i] = k; }
__global__ void fail_function_wide(int* a, int n) { int i = blockIdx.x * 64 + threadIdx.x; __function_wide_invariant(__no_write(a)); for (int k = 0; k < n; k++) a[i] = k; }
__global__ void ok_global_invariant(int* a, int n) { for (int k = 0; __global_invariant(k >= 0), k < n; k++) a[blockIdx.x * 64 + threadIdx.x] = k; }
__global__ void fail_global_invariant(int* a, int n) { for (int k = 0; __global_invariant(k < 7), k < n; k++) a[blockIdx.x * 64 + threadIdx.x] = k; }
__global__ void ok_candidate(int* a, int n) { for (int k = 0; __candidate_invariant(k < 7), k < n; k++) a[blockIdx.x * 64 + threadIdx.x] = k; }
__global__ void ok_assume(int n) { __assume(n > 3); __assert(n > 2); }
__global__ void fail_assume(int n) { __assume(n > 3); __assert(n > 4); }
__global__ void ok_global_assert(int n) { __global_requires(n == 3); __global_assert(n == 3); __global_ensures(n == 3); }
__global__ void fail_global_assert(int n) { __global_requires(n == 3); __global_assert(n == 4); }
__global__ void ok_where_written(int* a, int n) { for (int i = threadIdx.x; __global_invariant(__write_implies(a, __write_offset_bytes(a) / 4 % 64 == threadIdx.x)), i < n; i += 64) a[i] = 1; }
__global__ void fail_where_written(int* a, int n) { for (int i = threadIdx.x; __global_invariant(__write_implies(a, __write_offset_bytes(a) / 4 % 32 == threadIdx.x)), i < n; i += 64) a[i] = 1; }
