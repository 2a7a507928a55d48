// Groups of threads that work together: the grid, a block, tiles of a warp, the threads that are
// active.
#pragma once
#include "device_functions.h"

namespace cooperative_groups {

__hw_device unsigned __hw_count(dim3 d) { return d.x * d.y * d.z; }
__hw_device unsigned __hw_rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__hw_device unsigned __hw_block_rank() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

struct grid_group {
  static __hw_device_member void sync() { __headway_barrier(3, 3); }
  static __hw_device_member bool is_valid() {
    __headway_premise(__hw_cooperative);
    return __headway_cooperative() != 0;
  }
  static __hw_device_member unsigned long long size() {
    return (unsigned long long)__hw_count(gridDim) * __hw_count(blockDim);
  }
  static __hw_device_member unsigned long long num_threads() { return size(); }
  static __hw_device_member unsigned long long thread_rank() {
    return (unsigned long long)__hw_block_rank() * __hw_count(blockDim) + __hw_rank_in_block();
  }
  static __hw_device_member dim3 group_dim() { return gridDim; }
  static __hw_device_member dim3 dim_blocks() { return gridDim; }
  static __hw_device_member dim3 block_index() { return blockIdx; }
  static __hw_device_member unsigned long long num_blocks() { return __hw_count(gridDim); }
  static __hw_device_member unsigned long long block_rank() { return __hw_block_rank(); }
};

struct thread_block {
  static __hw_device_member void sync() { __headway_barrier(2, 3); }
  static __hw_device_member unsigned size() { return __hw_count(blockDim); }
  static __hw_device_member unsigned num_threads() { return __hw_count(blockDim); }
  static __hw_device_member unsigned thread_rank() { return __hw_rank_in_block(); }
  static __hw_device_member dim3 group_index() { return blockIdx; }
  static __hw_device_member dim3 thread_index() { return threadIdx; }
  static __hw_device_member dim3 group_dim() { return blockDim; }
  static __hw_device_member dim3 dim_threads() { return blockDim; }
};

// What tiles and groups of active threads have in common: a mask of lanes, a width in which tiles
// count lanes, and which of how many groups it is that its parent was cut into. Groups of active
// threads count in the mask.
template <bool is_tile>
struct __hw_lanes {
  unsigned mask, width, meta_rank, meta_size;

  __hw_device_member unsigned rank() const {
    if constexpr (is_tile) return __headway_lane() & (width - 1);
    else return __builtin_popcount(mask & ((1u << __headway_lane()) - 1));
  }
  // The lane of the n-th thread.
  __hw_device_member unsigned lane_of(unsigned n) const {
    if constexpr (is_tile) {
      return (__headway_lane() & ~(width - 1)) + n;
    } else {
      unsigned left = mask;
      for (unsigned i = 0; i < n; ++i) left &= left - 1;
      return __builtin_ctzg(left, 31);
    }
  }
  __hw_device_member void sync() const { __headway_subgroup_barrier(mask, 3); }
  __hw_device_member unsigned size() const { return width; }
  __hw_device_member unsigned num_threads() const { return width; }
  __hw_device_member unsigned meta_group_rank() const { return meta_rank; }
  __hw_device_member unsigned meta_group_size() const { return meta_size; }
  __hw_device_member unsigned thread_rank() const { return rank(); }
  template <class T> __hw_device_member T shfl(T value, int n) const {
    if constexpr (is_tile) return __hw_shuffle<0>(mask, value, n, width);
    else return __hw_shuffle<0>(mask, value, lane_of(n), __headway_subgroup_size());
  }
  template <class T> __hw_device_member T shfl_up(T value, unsigned n) const {
    if constexpr (is_tile) {
      return __hw_shuffle<1>(mask, value, n, width);
    } else {
      const unsigned r = rank();
      return __hw_shuffle<0>(mask, value, lane_of(r < n ? r : r - n), __headway_subgroup_size());
    }
  }
  template <class T> __hw_device_member T shfl_down(T value, unsigned n) const {
    if constexpr (is_tile) {
      return __hw_shuffle<2>(mask, value, n, width);
    } else {
      const unsigned r = rank();
      return __hw_shuffle<0>(mask, value, lane_of(r + n < width ? r + n : r),
                             __headway_subgroup_size());
    }
  }
  __hw_device_member int any(int p) const { return __headway_vote(1, mask, p); }
  __hw_device_member int all(int p) const { return __headway_vote(0, mask, p); }
  // Bit n is of the n-th thread of the group.
  __hw_device_member unsigned packed(unsigned lanes) const {
    if constexpr (is_tile) {
      return (lanes >> (__headway_lane() & ~(width - 1))) &
             (unsigned)((1ull << width) - 1);
    } else {
      unsigned result = 0, left = mask;
      for (unsigned i = 0; i < width; ++i, left &= left - 1) {
        result |= (lanes >> __builtin_ctzg(left, 31) & 1u) << i;
      }
      return result;
    }
  }
  __hw_device_member unsigned ballot(int p) const {
    return packed((unsigned)__headway_ballot(mask, p) & mask);
  }
  template <class T> __hw_device_member unsigned match_any(T value) const {
    return packed(__match_any_sync(mask, value));
  }
  template <class T> __hw_device_member unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask, value, &all));
  }
};

struct __hw_tile : __hw_lanes<true> {
  // Of a block.
  __hw_device_member __hw_tile(unsigned size)
      : __hw_lanes<true>{lanes(size), size, __hw_rank_in_block() / size,
                         (__hw_count(blockDim) + size - 1) / size} {}
  // Of a tile of so many lanes.
  __hw_device_member __hw_tile(unsigned size, unsigned parent)
      : __hw_lanes<true>{lanes(size), size, (__headway_lane() & (parent - 1)) / size,
                         parent / size} {}
  static __hw_device_member unsigned lanes(unsigned size) {
    return (unsigned)((1ull << size) - 1) << (__headway_lane() & ~(size - 1));
  }
  template <class T> __hw_device_member T shfl_xor(T value, unsigned bits) const {
    return __hw_shuffle<3>(mask, value, bits, width);
  }
};
// One of no known parent is a base of those that have one, so all of a size may stand for it.
template <unsigned n, class Parent = void> struct thread_block_tile : thread_block_tile<n, void> {
  __hw_device_member thread_block_tile() {}
  __hw_device_member explicit thread_block_tile(unsigned parent)
      : thread_block_tile<n, void>(parent) {}
};
template <unsigned n> struct thread_block_tile<n, void> : __hw_tile {
  static_assert(n <= 32 && (n & (n - 1)) == 0, "tiles of up to 32 threads, of a power of two");
  __hw_device_member thread_block_tile() : __hw_tile(n) {}
  __hw_device_member explicit thread_block_tile(unsigned parent) : __hw_tile(n, parent) {}
  static constexpr unsigned __hw_n = n;
};

struct coalesced_group : __hw_lanes<false> {
  __hw_device_member explicit coalesced_group(unsigned mask, unsigned meta_rank = 0,
                                              unsigned meta_size = 1)
      : __hw_lanes<false>{mask, (unsigned)__builtin_popcount(mask), meta_rank, meta_size} {}
};

// A group of some kind.
struct thread_group {
  enum Kind { block, tile, active } kind;
  unsigned mask, width;
  __hw_device_member thread_group(const thread_block&) : kind(block), mask(0), width(0) {}
  __hw_device_member thread_group(const __hw_tile& g) : kind(tile), mask(g.mask), width(g.width) {}
  __hw_device_member thread_group(const coalesced_group& g)
      : kind(active), mask(g.mask), width(g.width) {}
  __hw_device_member void sync() const {
    if (kind == block) __headway_barrier(2, 3);
    else __headway_subgroup_barrier(mask, 3);
  }
  __hw_device_member unsigned size() const { return kind == block ? __hw_count(blockDim) : width; }
  __hw_device_member unsigned num_threads() const { return size(); }
  __hw_device_member unsigned thread_rank() const {
    return kind == block  ? __hw_rank_in_block()
           : kind == tile ? __headway_lane() & (width - 1)
                          : __builtin_popcount(mask & ((1u << __headway_lane()) - 1));
  }
};

__hw_device grid_group this_grid() { return {}; }
__hw_device thread_block this_thread_block() { return {}; }
__hw_device coalesced_group coalesced_threads() {
  return coalesced_group((unsigned)__headway_active_mask());
}
template <unsigned n>
__hw_device thread_block_tile<n, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned n, unsigned m, class P>
__hw_device thread_block_tile<n, thread_block_tile<m, P>> tiled_partition(
    const thread_block_tile<m, P>&) {
  static_assert(n <= m, "tiles that fit into the one that is cut");
  return thread_block_tile<n, thread_block_tile<m, P>>(m);
}
__hw_device __hw_tile tiled_partition(const thread_block&, unsigned n) { return __hw_tile(n); }
__hw_device __hw_tile tiled_partition(const __hw_tile& g, unsigned n) {
  return __hw_tile(n, g.width);
}
// So many threads each, in the order of their ranks.
__hw_device coalesced_group tiled_partition(const coalesced_group& g, unsigned n) {
  const unsigned tile = g.rank() / n;
  unsigned lanes = 0, left = g.mask;
  for (unsigned i = 0; i < g.width; ++i, left &= left - 1) {
    if (i / n == tile) lanes |= left & (0u - left);
  }
  return coalesced_group(lanes, tile, (g.width + n - 1) / n);
}
__hw_device thread_group tiled_partition(const thread_group& g, unsigned n) {
  if (g.kind == thread_group::active) return tiled_partition(coalesced_group(g.mask), n);
  return __hw_tile(n);
}
// Those for which p holds are the second of two, where there are some of both.
template <bool t> __hw_device coalesced_group binary_partition(const __hw_lanes<t>& g, bool p) {
  const unsigned yes = (unsigned)__headway_ballot(g.mask, p) & g.mask;
  const unsigned both = (unsigned)(yes != 0) & (unsigned)(yes != g.mask);
  return coalesced_group(p ? yes : g.mask & ~yes, (unsigned)p & both, 1 + both);
}
// In the order of the first threads that have a label.
template <bool t, class L>
__hw_device coalesced_group labeled_partition(const __hw_lanes<t>& g, L label) {
  const unsigned mine = __match_any_sync(g.mask, label);
  const unsigned first = mine & (0u - mine);
  const unsigned all = (unsigned)__headway_ballot(g.mask, first == 1u << __headway_lane()) & g.mask;
  return coalesced_group(mine, (unsigned)__builtin_popcount(all & (first - 1)),
                         (unsigned)__builtin_popcount(all));
}
template <class G> __hw_device void sync(const G& g) { g.sync(); }
template <class G> __hw_device unsigned thread_rank(const G& g) { return g.thread_rank(); }
template <class G> __hw_device unsigned group_size(const G& g) { return g.size(); }

template <class T = void> struct plus {
  template <class U> __hw_device_member U operator()(U a, U b) const { return a + b; }
};
template <class T = void> struct less {
  template <class U> __hw_device_member U operator()(U a, U b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
  template <class U> __hw_device_member U operator()(U a, U b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
  template <class U> __hw_device_member U operator()(U a, U b) const { return a & b; }
};
template <class T = void> struct bit_or {
  template <class U> __hw_device_member U operator()(U a, U b) const { return a | b; }
};
template <class T = void> struct bit_xor {
  template <class U> __hw_device_member U operator()(U a, U b) const { return a ^ b; }
};

// Reductions and scans, thread by thread: whatever the operation, and in the order of threads.
template <bool t, class T, class F> __hw_device T reduce(const __hw_lanes<t>& g, T value, F op) {
  T result = g.shfl(value, 0);
  for (unsigned i = 1; i < g.width; ++i) result = op(result, g.shfl(value, (int)i));
  return result;
}
template <bool t, class T, class F>
__hw_device T inclusive_scan(const __hw_lanes<t>& g, T value, F op) {
  T result = value, sum = g.shfl(value, 0);
  const unsigned rank = g.rank();
  for (unsigned i = 1; i < g.width; ++i) {
    const T next = g.shfl(value, (int)i);
    sum = op(sum, next);
    result = i == rank ? sum : result;
  }
  return result;
}
template <bool t, class T> __hw_device T inclusive_scan(const __hw_lanes<t>& g, T value) {
  return inclusive_scan(g, value, plus<T>());
}
template <bool t, class T, class F>
__hw_device T exclusive_scan(const __hw_lanes<t>& g, T value, F op) {
  const T all = inclusive_scan(g, value, op);
  const T before = g.shfl_up(all, 1);
  return g.rank() == 0 ? T() : before;
}
template <bool t, class T> __hw_device T exclusive_scan(const __hw_lanes<t>& g, T value) {
  return exclusive_scan(g, value, plus<T>());
}

// A copy of a block, byte by byte, goes on until the block waits for copies; all of them have one
// event. Those of other groups are not modelled.
template <class T>
__hw_device void memcpy_async(const thread_block&, T* to, const T* from, size_t bytes) {
  __headway_async_copy(to, from, bytes, 1, 1, 0, 1);
}
template <class G, class T> __hw_device void memcpy_async(const G&, T*, const T*, size_t) {
  __headway_copy_of_a_part_of_a_block();
}
__hw_device void wait(const thread_block&) {
  const unsigned long long event = 1;
  __headway_wait_events(1, &event);
}
template <class G> __hw_device void wait(const G&) { __headway_copy_of_a_part_of_a_block(); }
// For all copies; that the last few of them go on is not modelled.
template <unsigned last> __hw_device void wait_prior(const thread_block& g) {
  if constexpr (last == 0) wait(g);
  else __headway_copies_that_go_on();
}
// One thread does it, whichever; another time it may be another one.
template <bool t> __hw_device unsigned __hw_chosen(const __hw_lanes<t>& g) {
  return g.shfl(__headway_unknown_u32() % g.width, 0);
}
__hw_device unsigned __hw_chosen(const thread_block& g) {
  return __headway_group_broadcast_u32(__headway_unknown_u32() % g.size(), 0);
}
template <class G, class F, class... Args>
__hw_device void invoke_one(const G& g, F&& f, Args&&... args) {
  if (g.thread_rank() == __hw_chosen(g)) f(static_cast<Args&&>(args)...);
}
template <bool t, class F, class... Args>
__hw_device auto invoke_one_broadcast(const __hw_lanes<t>& g, F&& f, Args&&... args) {
  const unsigned chosen = __hw_chosen(g);
  using T = decltype(f(static_cast<Args&&>(args)...));
  T own{}, result{};
  if (g.thread_rank() == chosen) own = f(static_cast<Args&&>(args)...);
  for (unsigned i = 0; i < g.width; ++i) {
    const auto given = g.shfl(own, (int)i);
    result = i == chosen ? given : result;
  }
  return result;
}

}  // namespace cooperative_groups
