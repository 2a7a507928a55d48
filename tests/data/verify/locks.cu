// Launched as 16 workgroups of 64 threads. ok_...: all is verified; race_...: races are not, as one
// premise of what docs/internals/verify-proofs.md says of locks is broken. What each one is about stands above it.

__device__ void take(int* l) { while (atomicCAS(l, 0, 1) != 0) { } __threadfence(); }
__device__ void give(int* l) { __threadfence(); atomicExch(l, 0); }

// The lock as it is written in textbooks, and with an exchange, a test in front, a flag, one turn.
__global__ void ok_spin(int* l, int* a) { take(l); *a += 1; give(l); }
__global__ void ok_exchange(int* l, int* a) { while (atomicExch(l, 1) != 0) { } __threadfence(); a[0] += a[1]; a[1] = 2; give(l); }
__global__ void ok_test_first(int* l, int* a) { do { while (atomicOr(l, 0) != 0) { } } while (atomicCAS(l, 0, 1)); __threadfence(); *a += 1; give(l); }
__global__ void ok_flag(int* l, int* a) { bool mine = false; while (!mine) mine = atomicCAS(l, 0, 1) == 0; __threadfence(); *a += 1; give(l); }
__global__ void ok_old_value(int* l, int* a) { int old = 1; while (old) old = atomicExch(l, 1); __threadfence(); *a += 1; give(l); }
__global__ void ok_one_turn(int* l, int* a) { bool done = false; while (!done) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); *a += 1; give(l); done = true; } } }
__global__ void ok_break(int* l, int* a) { for (;;) { if (atomicExch(l, 1) == 0) { __threadfence(); *a += 1; give(l); break; } } }
__global__ void ok_try(int* l, int* a) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); *a += 1; give(l); } }
// Who holds it writes its name; bits set and cleared; a lock that is never given back.
__global__ void ok_owner(int* l, int* a) { int me = blockIdx.x * blockDim.x + threadIdx.x + 1; while (atomicCAS(l, 0, me) != 0) { } __threadfence(); *a += 1; __threadfence(); atomicCAS(l, me, 0); }
__global__ void ok_bits(int* l, int* a) { while (atomicOr(l, 1) != 0) { } __threadfence(); *a += 1; __threadfence(); atomicAnd(l, 0); }
__global__ void ok_sometimes_kept(int* l, int* a, int n) { take(l); *a += 1; if (n > 3) give(l); }
// Taken once: whoever is first has it for good, and nobody has to see what came before.
__global__ void ok_never_given_back(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { } *a += 1; }
__global__ void ok_first(int* l, int* a, int* in, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) { int v = in[i]; if (atomicExch(l + v, 1) == 0) a[v] = i; } }
__global__ void ok_first_by_key(unsigned* l, int* a, unsigned* in) { unsigned v = in[threadIdx.x]; if (atomicCAS(l + (v & 63), 0u, v) == 0u && v != 0) a[v & 63] = threadIdx.x; }
// Sections in loops, and loops in sections.
__global__ void ok_rounds(int* l, int* a, int n) { for (int i = 0; i < n; i++) { take(l); *a += i; give(l); } }
__global__ void ok_three_rounds(int* l, int* a) { for (int i = 0; i < 3; i++) { take(l); *a += i; give(l); } }
__global__ void ok_loop_inside(int* l, int* a, int n) { take(l); for (int i = 0; i < n; i++) a[i] += i; give(l); }
__global__ void ok_rounds_one_turn(int* l, int* a, int n) { for (int i = 0; i < n; i++) { bool done = false; while (!done) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); a[i] += 1; give(l); done = true; } } } }
__global__ void ok_two_sections(int* l, int* a) { take(l); *a += 1; give(l); take(l); *a += 2; give(l); }
__global__ void ok_sections_of_branches(int* l, int* a, int n) { if (threadIdx.x < n) { take(l); *a += 1; give(l); } else { take(l); *a -= 1; give(l); } }
// A lock for each place, chosen by the data; two of them, nested; one inside of another.
__global__ void ok_places(int* l, int* a, int* in, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) { int b = in[i]; take(l + b); a[b] += 1; give(l + b); } }
__global__ void ok_place_of_group(int* l, int* a) { take(l + blockIdx.x); a[blockIdx.x] += 1; give(l + blockIdx.x); }
__global__ void ok_nested(int* l, int* m, int* a, int* b) { take(l); *a += 1; take(m); *b += *a; give(m); give(l); }
__global__ void ok_crossed(int* l, int* m, int* a, int* b) { take(l); *a += 1; take(m); *b += *a; give(l); *b += 1; give(m); }
__global__ void ok_transfer(int* l, int* a, int x, int y) { int low = x < y ? x : y, high = x < y ? y : x; if (low == high) return; take(l + low); take(l + high); a[low] -= 1; a[high] += 1; give(l + high); give(l + low); }
// One thread of a workgroup takes it for all.
__global__ void ok_leader(int* l, int* a, int* out) { __shared__ int sum; if (threadIdx.x == 0) sum = 1; __syncthreads(); if (threadIdx.x == 0) { take(l); *a += sum; give(l); } }
// In memory of the workgroup, set up by one thread; fences of the workgroup are enough.
__global__ void ok_of_group(int* a) { __shared__ int l; __shared__ int s; if (threadIdx.x == 0) { l = 0; s = 0; } __syncthreads(); while (atomicCAS(&l, 0, 1) != 0) { } __threadfence_block(); s += 1; __threadfence_block(); atomicExch(&l, 0); __syncthreads(); if (threadIdx.x == 0) a[blockIdx.x] = s; }
__global__ void ok_of_group_many(int* a, int* in) { __shared__ int l[64]; __shared__ int s[64]; for (int i = threadIdx.x; i < 64; i += blockDim.x) { l[i] = 0; s[i] = 0; } __syncthreads(); int b = in[threadIdx.x] & 63; take(l + b); s[b] += 1; give(l + b); __syncthreads(); a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x]; }
__global__ void ok_group_memory_of_device(int* a) { __shared__ int l; if (threadIdx.x == 0) l = 0; __syncthreads(); take(&l); a[blockIdx.x] += 1; give(&l); }
// Atomic accesses under the lock and plain ones do not race either.
__global__ void ok_atomic_inside(int* l, int* a, int n) { take(l); if (n > 2) atomicAdd(a, 1); else *a = 3; give(l); }
// Numbers are drawn, and called in turn.
__device__ void draw(unsigned* n, unsigned* s) { unsigned mine = atomicAdd(n, 1u); while (atomicAdd(s, 0u) != mine) { } __threadfence(); }
__device__ void call(unsigned* s) { __threadfence(); atomicAdd(s, 1u); }
__global__ void ok_turn(unsigned* n, unsigned* s, int* a) { draw(n, s); *a += 1; call(s); }
__global__ void ok_turn_written(unsigned* n, unsigned* s, int* a) { unsigned mine = atomicAdd(n, 1u); while (atomicOr(s, 0u) != mine) { } __threadfence(); *a += 1; __threadfence(); atomicExch(s, mine + 1); }
__global__ void ok_turn_for_some(unsigned* n, unsigned* s, int* a, int k) { if (threadIdx.x < k) { draw(n, s); for (int i = 0; i < k; i++) a[i] += 1; call(s); } }
__global__ void ok_turn_twice(unsigned* n, unsigned* s, int* a) { draw(n, s); *a += 1; call(s); draw(n, s); *a += 2; call(s); }
__global__ void ok_turn_and_lock(unsigned* n, unsigned* s, int* l, int* a, int* b) { draw(n, s); *a += 1; take(l); *b += *a; give(l); call(s); }
__global__ void ok_turn_of_group(int* a) { __shared__ unsigned n, s; __shared__ int x; if (threadIdx.x == 0) { n = 0; s = 0; x = 0; } __syncthreads(); draw(&n, &s); x += 1; call(&s); __syncthreads(); if (threadIdx.x == 0) a[blockIdx.x] = x; }

// Not a number of one's own, or drawn elsewhere; called without being on, or too far, or out of turn.
__global__ void race_turn_by_id(unsigned* s, int* a) { while (atomicAdd(s, 0u) != blockIdx.x) { } __threadfence(); *a += 1; call(s); }
__global__ void race_turn_not_awaited(unsigned* n, unsigned* s, int* a) { unsigned mine = atomicAdd(n, 1u); if (atomicAdd(s, 0u) < mine) { } __threadfence(); *a += 1; call(s); }
__global__ void race_turn_of_two(unsigned* n, unsigned* s, int* a) { draw(n + (threadIdx.x & 1), s); *a += 1; call(s); }
__global__ void race_turn_of_group_numbers(unsigned* s, int* a) { __shared__ unsigned n; if (threadIdx.x == 0) n = 0; __syncthreads(); draw(&n, s); *a += 1; call(s); }
__global__ void race_turn_called_twice(unsigned* n, unsigned* s, int* a) { draw(n, s); *a += 1; call(s); if (threadIdx.x == 9) call(s); }
__global__ void race_turn_called_far(unsigned* n, unsigned* s, int* a) { draw(n, s); *a += 1; __threadfence(); atomicAdd(s, 2u); }
__global__ void race_turn_written_back(unsigned* n, unsigned* s, int* a) { unsigned mine = atomicAdd(n, 1u); while (atomicOr(s, 0u) != mine) { } __threadfence(); *a += 1; __threadfence(); atomicExch(s, mine); }
__global__ void race_turn_pairs(unsigned* n, unsigned* s, int* a) { unsigned mine = atomicAdd(n, 1u); while (atomicOr(s, 0u) / 2 != mine / 2) { } __threadfence(); *a += 1; call(s); }
__global__ void race_turn_no_acquire(unsigned* n, unsigned* s, int* a) { unsigned mine = atomicAdd(n, 1u); while (atomicAdd(s, 0u) != mine) { } *a += 1; call(s); }
__global__ void race_turn_no_release(unsigned* n, unsigned* s, int* a) { draw(n, s); *a += 1; atomicAdd(s, 1u); }
__global__ void race_turn_numbers_reset(unsigned* n, unsigned* s, int* a) { if (threadIdx.x == 0) *n = 0; __syncthreads(); draw(n, s); *a += 1; call(s); }
__global__ void race_turn_behind(unsigned* n, unsigned* s, int* a) { draw(n, s); call(s); *a += 1; }
// No fence behind the acquire, or in front of the release; none at all.
__global__ void race_no_acquire(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { } *a += 1; give(l); }
__global__ void race_no_release(int* l, int* a) { take(l); *a += 1; atomicExch(l, 0); }
__global__ void race_no_fence(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { } *a += 1; atomicExch(l, 0); }
__global__ void race_some_release(int* l, int* a, int n) { take(l); *a += 1; if (n > 3) __threadfence(); atomicExch(l, 0); }
__global__ void race_late_access(int* l, int* a) { take(l); *a += 1; __threadfence(); *a += 2; atomicExch(l, 0); }
__global__ void race_early_access(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { } *a += 1; __threadfence(); *a += 2; give(l); }
// Fences, atomics that reach the workgroup alone.
__global__ void race_narrow_fences(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { } __threadfence_block(); *a += 1; __threadfence_block(); atomicExch(l, 0); }
__global__ void race_narrow_release(int* l, int* a) { take(l); *a += 1; __threadfence_block(); atomicExch(l, 0); }
__global__ void race_narrow_atomics(int* l, int* a) { while (atomicCAS_block(l, 0, 1) != 0) { } __threadfence(); *a += 1; __threadfence(); atomicExch_block(l, 0); }
__global__ void race_lock_of_group(int* a) { __shared__ int l; if (threadIdx.x == 0) l = 0; __syncthreads(); take(&l); *a += 1; give(&l); }
// Given back by who does not hold it, or twice, or at another place.
__global__ void race_foreign_release(int* l, int* a) { take(l); *a += 1; give(l); if (threadIdx.x == 5) atomicExch(l, 0); }
__global__ void race_release_first(int* l, int* a) { give(l); take(l); *a += 1; give(l); }
__global__ void race_release_in_loop(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { atomicExch(l, 0); } __threadfence(); *a += 1; give(l); }
__global__ void race_release_elsewhere(int* l, int* a) { take(l); *a += 1; give(l + 1); }
__global__ void race_init_atomic(int* l, int* a) { if (threadIdx.x == 0) atomicExch(l, 0); __syncthreads(); take(l); *a += 1; give(l); }
__global__ void race_try_and_release(int* l, int* a) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); *a += 1; } give(l); }
// Written by a plain store, at a time when others may hold it.
__global__ void race_plain_release(int* l, int* a) { take(l); *a += 1; __threadfence(); *l = 0; }
__global__ void race_plain_init(int* l, int* a) { if (threadIdx.x == 0) *l = 0; __syncthreads(); take(l); *a += 1; give(l); }
__global__ void race_init_in_rounds(int* a) { __shared__ int l; __shared__ int s; for (int k = 0; k < 3; k++) { if (threadIdx.x == 0) l = 0; __syncthreads(); take(&l); s += 1; if (k > 1) give(&l); __syncthreads(); } }
__global__ void race_init_again(int* a) { __shared__ int l; __shared__ int s; if (threadIdx.x == 0) l = 0; __syncthreads(); if (threadIdx.x == 3) { take(&l); } __syncthreads(); if (threadIdx.x == 0) l = 0; __syncthreads(); if (threadIdx.x != 3) take(&l); s += 1; give(&l); }
// Threads take different locks, or none.
__global__ void race_two_locks(int* l, int* a) { take(l + (threadIdx.x & 1)); *a += 1; give(l + (threadIdx.x & 1)); }
__global__ void race_lock_of_id(int* l, int* a, int* in) { int b = in[threadIdx.x]; take(l + b); a[b + 1] += 1; give(l + b); a[b] = 0; }
__global__ void race_neighbour(int* l, int* a, int* in, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) { int b = in[i]; take(l + b); a[b] += a[b + 1]; give(l + b); } }
__global__ void race_overlapping(char* l, int* a) { take((int*)(l + threadIdx.x)); *a += 1; give((int*)(l + threadIdx.x)); }
__global__ void race_one_without(int* l, int* a) { if (threadIdx.x == 7) { *a += 1; return; } take(l); *a += 1; give(l); }
__global__ void race_other_lock(int* l, int* m, int* a, int n) { if (threadIdx.x < 9) { take(l); *a += 1; give(l); } else { take(m); *a += 1; give(m); } }
// Taken once, but by more than one, or used by others.
__global__ void race_first_by_key(unsigned* l, int* a, unsigned* in) { unsigned v = in[threadIdx.x]; if (atomicCAS(l + (v & 63), 0u, v) == 0u) a[v & 63] = threadIdx.x; }
__global__ void race_first_and_others(int* l, int* a, int* in) { int v = in[threadIdx.x]; if (atomicExch(l + v, 1) == 0) a[v] = threadIdx.x; else a[v + 64] = a[v]; }
__global__ void race_first_of_two(int* l, int* a, int* in) { int v = in[threadIdx.x]; if (atomicExch(l + 2 * v + (threadIdx.x & 1), 1) == 0) a[v] = threadIdx.x; }
__global__ void race_first_cleared(int* l, int* a, int* in) { int v = in[threadIdx.x]; l[v] = 0; __syncthreads(); if (atomicExch(l + v, 1) == 0) a[v] = threadIdx.x; }
__global__ void race_first_unset(int* l, int* a, int* in, int k) { int v = in[threadIdx.x]; if (atomicExch(l + v, k) == 0) a[v] = threadIdx.x; }
// Before, behind, between.
__global__ void race_before(int* l, int* a) { int x = *a; take(l); *a = x + 1; give(l); }
__global__ void race_behind(int* l, int* a, int* out) { take(l); *a += 1; give(l); out[blockIdx.x * 64 + threadIdx.x] = *a; }
__global__ void race_between(int* l, int* a) { take(l); *a += 1; give(l); *a += 1; take(l); *a += 2; give(l); }
__global__ void race_after_rounds(int* l, int* a, int n) { for (int i = 0; i < n; i++) { take(l); *a += i; give(l); } *a = 3; }
__global__ void race_some_rounds(int* l, int* a, int n) { for (int i = 0; i < n; i++) { if (i != 3) take(l); *a += i; if (i != 3) give(l); } }
__global__ void race_given_back_early(int* l, int* a, int n) { take(l); for (int i = 0; i < n; i++) { *a += i; if (i == 2) give(l); } }
// What was found is not looked at, or wrongly.
__global__ void race_ignored(int* l, int* a) { atomicCAS(l, 0, 1); __threadfence(); *a += 1; give(l); }
__global__ void race_wrong_way(int* l, int* a) { while (atomicCAS(l, 0, 1) == 0) { } __threadfence(); *a += 1; give(l); }
__global__ void race_given_up(int* l, int* a) { for (int k = 0; k < 99; k++) if (atomicCAS(l, 0, 1) == 0) break; __threadfence(); *a += 1; give(l); }
__global__ void race_taken_from_one(int* l, int* a) { int old = 0; while (old != 1) old = atomicCAS(l, 1, 2); __threadfence(); *a += 1; give(l); }
__global__ void race_expected(int* l, int* a) { int want = 0, old; while ((old = atomicCAS(l, want, 1)) != want) want = old; __threadfence(); *a += 1; give(l); }
__global__ void race_takes_zero(int* l, int* a, int v) { while (atomicCAS(l, 0, v) != 0) { } __threadfence(); *a += 1; give(l); }
__global__ void race_value_in_between(int* l, int* a) { while (atomicCAS(l, 0, 1) != 0) { } __threadfence(); atomicCAS(l, 1, 0); *a += 1; give(l); }
// Drawn numbers begin anew under a lock: no barrier is between.
__global__ void race_tickets_anew(int* l, unsigned* t, int* a) { take(l); *t = 0; give(l); take(l); unsigned i = atomicAdd(t, 1u); give(l); a[i] = threadIdx.x + 64 * blockIdx.x; }
