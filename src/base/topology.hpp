// The shape of a launch: a grid of workgroups, each of subgroups, each of threads. Threads are
// numbered through the whole grid. So far every launch is flat.
#pragma once

#include <cassert>

namespace headway {

class Topology {
 public:
  // A flat launch: so many workgroups of one thread each. Where only the number of threads matters
  // it stands for the launch. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Topology(int threads) : Topology(threads, 1, 1) {}
  // So many workgroups of so many subgroups of so many threads, each at least 1.
  constexpr Topology(int workgroups, int subgroups, int threads)
      : workgroups_(workgroups),
        subgroups_(subgroups),
        subgroup_threads_(threads),
        threads_(workgroups * subgroups * threads) {
    assert(workgroups >= 0 && subgroups >= 1 && threads >= 1);
  }

  constexpr int threads() const { return threads_; }  // of the grid
  constexpr int workgroups() const { return workgroups_; }
  constexpr int subgroups() const { return subgroups_; }  // of a workgroup
  constexpr int subgroup_threads() const { return subgroup_threads_; }
  constexpr bool is_flat() const { return subgroups_ * subgroup_threads_ == 1; }

  friend constexpr bool operator==(const Topology&, const Topology&) = default;

 private:
  int workgroups_, subgroups_, subgroup_threads_, threads_;
};

}  // namespace headway
