// The shape of a launch: a grid of workgroups, each of subgroups, each of threads. Threads are
// numbered through the whole grid, and so are the subgroups.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>

namespace headway {

// The kinds of group below the grid, from the outside in.
enum class Level : std::uint8_t { workgroup, subgroup, thread };
inline constexpr std::array<Level, 3> kLevels = {Level::workgroup, Level::subgroup, Level::thread};

// "workgroup"
constexpr std::string_view to_string(Level level) {
  return level == Level::workgroup ? "workgroup" : level == Level::subgroup ? "subgroup" : "thread";
}

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

  // Subgroups of so many lanes, each of which runs as one thread would.
  static constexpr Topology in_lockstep(int workgroups, int subgroups, int lanes) {
    Topology result(workgroups, subgroups, 1);
    result.lanes_ = lanes;
    return result;
  }

  constexpr int threads() const { return threads_; }  // of the grid
  constexpr int workgroups() const { return workgroups_; }
  constexpr int subgroups() const { return subgroups_; }  // of a workgroup
  constexpr int subgroup_threads() const { return subgroup_threads_; }
  constexpr bool is_flat() const { return subgroups_ * subgroup_threads_ == 1; }
  // What a thread is to people: "thread", or "subgroup" where it is one in lockstep.
  constexpr std::string_view leaf_name() const { return lanes_ > 0 ? "subgroup" : "thread"; }

  // Of a level: the groups in each group around them, in the grid, and the threads in each.
  constexpr int siblings(Level level) const {
    return level == Level::workgroup  ? workgroups_
           : level == Level::subgroup ? subgroups_
                                      : subgroup_threads_;
  }
  constexpr int groups(Level level) const { return threads_ / group_threads(level); }
  constexpr int group_threads(Level level) const {
    return level == Level::workgroup  ? subgroups_ * subgroup_threads_
           : level == Level::subgroup ? subgroup_threads_
                                      : 1;
  }
  // Whether a model is asked at this level. Where every group has one child it is not; of a flat
  // launch always the workgroups are.
  constexpr bool has(Level level) const {
    return is_flat() ? level == Level::workgroup : siblings(level) > 1;
  }
  // The innermost level that there is; its groups are single threads.
  constexpr Level leaf() const {
    return subgroup_threads_ > 1 ? Level::thread
           : subgroups_ > 1      ? Level::subgroup
                                 : Level::workgroup;
  }

  // "3 threads", "2 workgroups of 4 threads", "1 workgroup of 2 subgroups of 4 threads", "2
  // subgroups of 4 threads in lockstep"
  std::string to_string() const {
    const auto count = [](int number, const std::string& noun) {
      return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
    };
    if (lanes_ > 0) {
      return (subgroups_ > 1 ? count(workgroups_, "workgroup") + " of " : "") +
             count(subgroups_ > 1 ? subgroups_ : workgroups_, "subgroup") + " of " +
             count(lanes_, "thread") + " in lockstep";
    }
    if (is_flat()) return count(threads_, "thread");
    return count(workgroups_, "workgroup") + " of " +
           (subgroups_ > 1 ? count(subgroups_, "subgroup") + " of " : "") +
           count(subgroup_threads_, "thread");
  }

  friend constexpr bool operator==(const Topology&, const Topology&) = default;

 private:
  int workgroups_, subgroups_, subgroup_threads_, threads_;
  int lanes_ = 0;  // of a subgroup in lockstep; 0 where threads are independent
};

}  // namespace headway
