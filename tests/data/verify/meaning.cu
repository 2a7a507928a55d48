// What each argument of what synchronizes means: kernels that differ in one, and whose answer hangs
// on it. Launched as two workgroups of 32 threads; names as in kernels.cu. What is said of them is
// said by proofs, by runs and by `check`.
#include <assert.h>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
namespace cg = cooperative_groups;
using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
using BlockFlag = cuda::atomic_ref<int, cuda::thread_scope_block>;
#define RELAXED cuda::memory_order_relaxed
#define ACQUIRE cuda::memory_order_acquire
#define RELEASE cuda::memory_order_release
#define ACQ_REL cuda::memory_order_acq_rel

// ---- Masks: who is named comes, by the same mask; and what a mask leaves out is not ordered.
__global__ void ok_warp_barrier(int *a) { __shared__ int s[32]; s[threadIdx.x] = 1 + threadIdx.x; __syncwarp(); a[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void ok_warp_barrier_mask(int *a) { __shared__ int s[2]; if (threadIdx.x < 2) { s[threadIdx.x] = 1 + threadIdx.x; __syncwarp(3); a[blockIdx.x * 2 + threadIdx.x] = s[1 - threadIdx.x]; } }
__global__ void race_warp_barrier_mask(int *a) { __shared__ int s[2]; if (threadIdx.x < 2) { s[threadIdx.x] = 1 + threadIdx.x; __syncwarp(1u << threadIdx.x); a[blockIdx.x * 2 + threadIdx.x] = s[1 - threadIdx.x]; } }
__global__ void div_warp_barrier_absent(int *a) { if (threadIdx.x == 0) __syncwarp(3); __syncthreads(); a[blockIdx.x] = 1; }
__global__ void div_warp_barrier_not_named(int *a) { __syncwarp(1); a[blockIdx.x] = 1; }
__global__ void div_warp_barrier_of_nobody(int *a) { __syncwarp(0); a[blockIdx.x] = 1; }
__global__ void div_warp_barrier_two_masks(int *a) { if (threadIdx.x < 3) __syncwarp(threadIdx.x == 0 ? 7 : 15); __syncthreads(); a[blockIdx.x] = 1; }
__global__ void ok_warp_barrier_two_places(int *a) { __shared__ int s[32]; s[threadIdx.x] = 1; if (threadIdx.x & 1) __syncwarp(); else __syncwarp(0xffffffff); a[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void div_warp_barrier_two_places(int *a) { __shared__ int s[32]; s[threadIdx.x] = 1; if (threadIdx.x & 1) __syncwarp(); else __syncwarp(0x7fffffff); a[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void race_warp_barrier_two_places(int *a) { __shared__ int s[32]; s[threadIdx.x] = 1 + threadIdx.x; if (threadIdx.x & 1) __syncwarp(0xaaaaaaaa); else __syncwarp(0x55555555); a[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void ok_shuffle_two_places(int *a) { int r; if (threadIdx.x & 1) r = __shfl_xor_sync(0xffffffff, 3, 1); else r = __shfl_xor_sync(0xffffffff, 4, 1); assert(r == 3 + (threadIdx.x & 1)); a[blockIdx.x * 32 + threadIdx.x] = r; }
__global__ void div_shuffle_two_kinds(int *a) { int r; if (threadIdx.x & 1) r = __shfl_xor_sync(0xffffffff, 3, 1); else r = __shfl_sync(0xffffffff, 4, 1); a[blockIdx.x * 32 + threadIdx.x] = r; }
__global__ void div_shuffle_absent(int *a) { int v = 0; if (threadIdx.x < 16) v = __shfl_sync(0xffffffff, 7, 0); __syncthreads(); a[blockIdx.x * 32 + threadIdx.x] = v; }
__global__ void ok_shuffle_mask(int *a) { int v = 0; if (threadIdx.x < 16) v = __shfl_sync(0xffff, 7, 0); __syncthreads(); a[blockIdx.x * 32 + threadIdx.x] = v; }
__global__ void div_vote_absent(int *a) { int v = 0; if (threadIdx.x < 16) v = __any_sync(0x1ffff, 1); __syncthreads(); a[blockIdx.x * 32 + threadIdx.x] = v; }
__global__ void ok_vote_mask(int *a) { int v = 0; if (threadIdx.x < 16) v = __any_sync(0xffff, 1); __syncthreads(); a[blockIdx.x * 32 + threadIdx.x] = v; }
__global__ void div_ballot_absent(int *a) { int v = 0; if (threadIdx.x < 16) v = __ballot_sync(0x1ffff, 1); __syncthreads(); a[blockIdx.x * 32 + threadIdx.x] = v; }
__global__ void div_match_absent(int *a) { int v = 0; if (threadIdx.x < 16) v = __match_any_sync(0x1ffff, 1); __syncthreads(); a[blockIdx.x * 32 + threadIdx.x] = v; }
__global__ void div_reduce_not_named(int *a) { a[blockIdx.x * 32 + threadIdx.x] = __reduce_add_sync(0xffff, 1); }
__global__ void ok_reduce_mask(int *a) { if (threadIdx.x < 16) a[blockIdx.x * 32 + threadIdx.x] = __reduce_add_sync(0xffff, 1); }

// ---- Which lane, of how many.
__global__ void div_shuffle_absent_add(int *a) { int v = 0; if (threadIdx.x < 16) v = __shfl_sync(0xffff, 7, 20); if (threadIdx.x == 0) atomicAdd(a, v); }
__global__ void div_shuffle_absent_exchange(int *a) { int v = 0; if (threadIdx.x < 16) v = __shfl_sync(0xffff, 7, 20); if (threadIdx.x == 0) atomicExch(a, v); }
__global__ void div_shuffle_absent_store(int *a) { int v = 0; if (threadIdx.x < 16) v = __shfl_sync(0xffff, 7, 20); if (threadIdx.x == 0) Flag(*a).store(v, RELAXED); }
__global__ void ok_shuffle_distance(int *) { assert(__shfl_down_sync(0xffffffff, (int)threadIdx.x, 33) == (threadIdx.x < 31 ? threadIdx.x + 1 : threadIdx.x)); }
__global__ void assert_shuffle_distance(int *) { assert(__shfl_up_sync(0xffffffff, (int)threadIdx.x, 33) == threadIdx.x); }
__global__ void ok_shuffle_width(int *) { assert(__shfl_sync(0xffffffff, (int)threadIdx.x, 3, 16) == (threadIdx.x & 16) + 3); }
__global__ void assert_shuffle_width(int *) { assert(__shfl_sync(0xffffffff, (int)threadIdx.x, 3, 8) == (threadIdx.x & 16) + 3); }
__global__ void ok_shuffle_down(int *) { assert(__shfl_down_sync(0xffffffff, (int)threadIdx.x, 2, 16) == ((threadIdx.x & 15) < 14 ? threadIdx.x + 2 : threadIdx.x)); }
__global__ void assert_shuffle_down(int *) { assert(__shfl_down_sync(0xffffffff, (int)threadIdx.x, 2) == ((threadIdx.x & 15) < 14 ? threadIdx.x + 2 : threadIdx.x)); }

// ---- Orders and scopes.
__global__ void ok_exchange_fails_acquiring(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else { int e = 5; if (!f.compare_exchange_strong(e, 6, ACQUIRE, ACQUIRE) && e == 1) *out = *data; } }
__global__ void race_exchange_fails_relaxed(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else { int e = 5; if (!f.compare_exchange_strong(e, 6, ACQUIRE, RELAXED) && e == 1) *out = *data; } }
__global__ void ok_exchange_that_fails(int *flag) { int e = 1; if (threadIdx.x == 0) BlockFlag(*flag).compare_exchange_strong(e, 2); }
__global__ void ok_exchange_of_one_order(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else { int e = 5; if (!f.compare_exchange_weak(e, 6, ACQ_REL) && e == 1) *out = *data; } }
__global__ void race_exchange_of_release(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else { int e = 5; if (!f.compare_exchange_weak(e, 6, RELEASE) && e == 1) *out = *data; } }
__global__ void race_store_relaxed(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELAXED); } else if (f.load(ACQUIRE) == 1) { *out = *data; } }
__global__ void race_load_relaxed(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else if (f.load(RELAXED) == 1) { *out = *data; } }
__global__ void ok_load_acquire(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; Flag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else if (f.load(ACQUIRE) == 1) { *out = *data; } }
__global__ void race_scope_of_block(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; BlockFlag f(*flag); if (blockIdx.x == 0) { *data = 42; f.store(1, RELEASE); } else if (f.load(ACQUIRE) == 1) { *out = *data; } }
__global__ void ok_fences(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; if (blockIdx.x == 0) { *data = 42; __threadfence(); atomicExch(flag, 1); } else if (atomicAdd(flag, 0) == 1) { __threadfence(); *out = *data; } }
__global__ void race_fences_of_block(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; if (blockIdx.x == 0) { *data = 42; __threadfence_block(); atomicExch(flag, 1); } else if (atomicAdd(flag, 0) == 1) { __threadfence_block(); *out = *data; } }
__global__ void race_fence_that_acquires(int *data, int *flag, int *out) { if (threadIdx.x > 0) return; if (blockIdx.x == 0) { *data = 42; cuda::atomic_thread_fence(ACQUIRE, cuda::thread_scope_device); atomicExch(flag, 1); } else if (atomicAdd(flag, 0) == 1) { __threadfence(); *out = *data; } }
// An update whose result nobody asks for may come first or last all the same.
__global__ void race_update_unasked(int *data, int *sum, int *out) { if (threadIdx.x > 0) return; if (blockIdx.x == 0) { *data = 42; __threadfence(); atomicAdd(sum, 1); } else { atomicAdd(sum, 1); __threadfence(); *out = *data; } }

// ---- Three threads: what goes on from a release, and who takes it up.
#define FENCE(order) cuda::atomic_thread_fence(order, cuda::thread_scope_device)
#define THREE(first, second, third) if (threadIdx.x > 1) return; Flag x(*flag); if (blockIdx.x == 0) { if (threadIdx.x == 0) { first } } else if (threadIdx.x == 0) { second } else { third }
__global__ void ok_update_goes_on(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, if (x.load(RELAXED) == 1) x.fetch_add(1, RELAXED);, if (x.load(ACQUIRE) == 2) *out = *data;) }
__global__ void race_other_store_between(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, if (x.load(RELAXED) == 1) x.store(2, RELAXED);, if (x.load(ACQUIRE) == 2) *out = *data;) }
__global__ void race_own_store_between(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE); x.store(2, RELAXED);, ;, if (x.load(ACQUIRE) == 2) *out = *data;) }
__global__ void ok_fence_before_both(int *data, int *flag, int *out) { THREE(*data = 1; FENCE(RELEASE); x.store(1, RELAXED); x.store(2, RELAXED);, ;, if (x.load(ACQUIRE) == 2) *out = *data;) }
__global__ void race_fence_too_late(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELAXED); FENCE(RELEASE);, ;, if (x.load(ACQUIRE) == 1) *out = *data;) }
__global__ void race_fence_too_early(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, ;, FENCE(ACQUIRE); if (x.load(RELAXED) == 1) *out = *data;) }
__global__ void race_fence_of_no_order(int *data, int *flag, int *out) { THREE(*data = 1; FENCE(RELAXED); x.store(1, RELAXED);, ;, if (x.load(ACQUIRE) == 1) *out = *data;) }
__global__ void ok_handed_on(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, if (x.load(ACQUIRE) == 1) x.store(2, RELEASE);, if (x.load(ACQUIRE) == 2) *out = *data;) }
__global__ void race_handed_on_relaxed(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, if (x.load(RELAXED) == 1) x.store(2, RELEASE);, if (x.load(ACQUIRE) == 2) *out = *data;) }
__global__ void race_update_that_acquires(int *data, int *flag, int *out) { THREE(*data = 1; x.exchange(1, ACQUIRE);, ;, if (x.load(ACQUIRE) == 1) *out = *data;) }
__global__ void race_update_that_releases(int *data, int *flag, int *out) { THREE(*data = 1; x.fetch_add(1, RELEASE);, ;, if (x.fetch_add(0, RELEASE) == 1) *out = *data;) }
__global__ void ok_exchange_succeeds_acquiring(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, ;, int e{1}; if (x.compare_exchange_weak(e, 2, ACQUIRE, RELAXED)) *out = *data;) }
__global__ void race_exchange_succeeds_relaxed(int *data, int *flag, int *out) { THREE(*data = 1; x.store(1, RELEASE);, ;, int e{1}; if (x.compare_exchange_weak(e, 2, RELAXED, ACQUIRE)) *out = *data;) }
__global__ void ok_tried_lock(int *data, int *flag, int *out) { THREE(if (!x.exchange(1, ACQUIRE)) { *data = 1; x.store(0, RELEASE); }, if (!x.exchange(1, ACQUIRE)) { *data = 2; x.store(0, RELEASE); }, ;) }
__global__ void race_tried_lock_given_back_relaxed(int *data, int *flag, int *out) { THREE(if (!x.exchange(1, ACQUIRE)) { *data = 1; x.store(0, RELAXED); }, if (!x.exchange(1, ACQUIRE)) { *data = 2; x.store(0, RELEASE); }, ;) }

// ---- Groups: which of how many, of what they are cut from.
__global__ void ok_tile_rank(int *) { auto t = cg::tiled_partition<4>(cg::this_thread_block()); assert(t.meta_group_rank() == threadIdx.x / 4 && t.meta_group_size() == 8); }
__global__ void ok_tile_of_tile(int *) { auto t = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block())); assert((t.meta_group_rank() == threadIdx.x % 16 / 4) & (t.meta_group_size() == 4)); }
__global__ void race_tile_of_tile(int *a) { auto t = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block())); if (t.thread_rank() == 0) a[blockIdx.x * 8 + t.meta_group_rank()] = threadIdx.x; }
__global__ void ok_tile_of_block(int *a) { auto t = cg::tiled_partition<4>(cg::this_thread_block()); if (t.thread_rank() == 0) a[blockIdx.x * 8 + t.meta_group_rank()] = threadIdx.x; }
__global__ void ok_partition(int *) { auto t = cg::tiled_partition<4>(cg::this_thread_block()); auto g = cg::binary_partition(t, threadIdx.x & 1); assert((g.meta_group_rank() == (threadIdx.x & 1)) & (g.meta_group_size() == 2) & (g.size() == 2)); }
__global__ void ok_partition_of_all(int *) { auto t = cg::tiled_partition<4>(cg::this_thread_block()); auto g = cg::binary_partition(t, true); assert((g.meta_group_rank() == 0) & (g.meta_group_size() == 1) & (g.size() == 4)); }
__global__ void race_partition(int *a) { auto t = cg::tiled_partition<4>(cg::this_thread_block()); auto g = cg::binary_partition(t, threadIdx.x & 1); if (blockIdx.x == 0 && g.meta_group_rank() == 1) a[0] = threadIdx.x; }
__global__ void ok_labels(int *) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); auto g = cg::labeled_partition(t, (threadIdx.x + 3) / 2 % 4); assert((g.meta_group_size() == 4) & (g.size() == 2)); }
__global__ void ok_coalesced_tile(int *) { auto g = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x & 1); auto t = cg::tiled_partition(g, 4); assert((t.size() == 4) & (t.meta_group_rank() == threadIdx.x / 8) & (t.meta_group_size() == 4)); }

// ---- Copies: so many bytes, of which not all are whole elements.
__global__ void race_copy_tail(int4 *g, int *o) { __shared__ int4 s[4]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, g, 20); if (threadIdx.x == 0) ((int *)s)[4] = 7; cg::wait(b); __syncthreads(); o[blockIdx.x * 32 + threadIdx.x] = ((int *)s)[0]; }
__global__ void ok_copy_prior(int4 *g, int *o) { __shared__ int4 s[4]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, g, 16); cg::wait_prior<0>(b); o[blockIdx.x * 32 + threadIdx.x] = s[0].x; }
__global__ void race_copy_not_waited(int4 *g, int *o) { __shared__ int4 s[4]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, g, 16); b.sync(); o[blockIdx.x * 32 + threadIdx.x] = s[0].x; cg::wait_prior<0>(b); }

// ---- What a call gives.
__global__ void race_printed(int *a) { if (printf("%d", 7) == 1) a[0] = threadIdx.x; }
__global__ void ok_printed(int *a) { if (printf("%d %d", 7, 8) != 2) a[0] = threadIdx.x; }
