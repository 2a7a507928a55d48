// The shape of a launch: a grid of workgroups, each of subgroups, each of threads. Threads are
// numbered through the whole grid, and so are the subgroups. Devices launch groups of equal shape;
// litmus tests may have others (base/placement.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

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

  // The same groups where what was a thread is a subgroup of so many lanes in lockstep: a number
  // for each, at least 1, and 64 in all at most.
  Topology with_lanes(const std::vector<int>& lanes) const {
    assert(static_cast<int>(lanes.size()) == threads_);
    Topology result = *this;
    result.lanes_ = *std::max_element(lanes.begin(), lanes.end());
    if (std::all_of(lanes.begin(), lanes.end(), [&](int n) { return n == lanes.front(); })) {
      return result;
    }
    for (int before = 0; const int count : lanes) {
      result.lane_begins_ |= std::uint64_t{1} << before;
      before += count;
    }
    result.lane_ends_ = std::accumulate(lanes.begin(), lanes.end(), 0);
    return result;
  }

  // The threads of each subgroup of each workgroup, none empty and at most 64 in all.
  static Topology placed(const std::vector<std::vector<int>>& workgroups) {
    Topology result(static_cast<int>(workgroups.size()), 1, 1);
    result.threads_ = 0;
    bool equal = true;
    for (const std::vector<int>& subgroups : workgroups) {
      equal = equal && subgroups.size() == workgroups.front().size();
      result.subgroups_ = std::max(result.subgroups_, static_cast<int>(subgroups.size()));
      result.workgroup_begins_ |= std::uint64_t{1} << result.threads_;
      for (const int threads : subgroups) {
        assert(threads >= 1 && result.threads_ + threads <= 64);
        equal = equal && threads == workgroups.front().front();
        result.subgroup_threads_ = std::max(result.subgroup_threads_, threads);
        result.subgroup_begins_ |= std::uint64_t{1} << result.threads_;
        result.threads_ += threads;
      }
    }
    return equal ? Topology(result.workgroups_, result.subgroups_, result.subgroup_threads_)
                 : result;
  }

  constexpr int threads() const { return threads_; }  // of the grid
  constexpr int workgroups() const { return workgroups_; }
  // Of a workgroup and of a subgroup; the most where groups are not equal.
  constexpr int subgroups() const { return subgroups_; }
  constexpr int subgroup_threads() const { return subgroup_threads_; }
  // Whether all groups of a level are of one shape.
  constexpr bool is_equal() const { return workgroup_begins_ == 0; }
  // The same where those in lockstep also have equally many lanes.
  constexpr bool is_uniform() const { return is_equal() && lane_begins_ == 0; }
  constexpr bool is_flat() const { return subgroups_ * subgroup_threads_ == 1; }
  // What a thread is to people: "thread", or "subgroup" where it is one in lockstep.
  constexpr std::string_view leaf_name() const { return lanes_ > 0 ? "subgroup" : "thread"; }

  // Of a level: the groups in each group around them, and the threads in each; the most where
  // groups are not equal.
  constexpr int siblings(Level level) const {
    return level == Level::workgroup  ? workgroups_
           : level == Level::subgroup ? subgroups_
                                      : subgroup_threads_;
  }
  constexpr int group_threads(Level level) const {
    return level == Level::workgroup  ? most_in_workgroup()
           : level == Level::subgroup ? subgroup_threads_
                                      : 1;
  }
  // How many there are of a level in the grid, and of groups around these.
  constexpr int groups(Level level) const {
    if (is_equal()) return threads_ / group_threads(level);
    return level == Level::thread ? threads_ : std::popcount(begins(level));
  }
  constexpr int parents(Level level) const {
    return level == Level::workgroup
               ? 1
               : groups(level == Level::subgroup ? Level::workgroup : Level::subgroup);
  }
  // The group that a thread is in, and the first thread of one; behind the last group the first
  // thread that there is not.
  constexpr int group_of(Level level, int thread) const {
    if (is_equal()) return thread / group_threads(level);
    if (level == Level::thread) return thread;
    return std::popcount(begins(level) << (63 - thread)) - 1;
  }
  constexpr int first_thread(Level level, int group) const {
    if (is_equal()) return group * group_threads(level);
    if (level == Level::thread) return group;
    std::uint64_t rest = begins(level);
    for (; group > 0 && rest != 0; --group) rest &= rest - 1;
    return rest == 0 ? threads_ : std::countr_zero(rest);
  }
  // The groups of a level in the group around them: the first, and how many.
  struct Children {
    int first = 0;
    int count = 0;
  };
  constexpr Children children(Level level, int parent) const {
    if (is_equal()) return {parent * siblings(level), siblings(level)};
    if (level == Level::workgroup) return {0, workgroups_};
    const Level around = level == Level::subgroup ? Level::workgroup : Level::subgroup;
    const int first = group_of(level, first_thread(around, parent));
    const int last = group_of(level, first_thread(around, parent + 1) - 1);
    return {first, last - first + 1};
  }
  // Whether a model is asked at this level. Where every group has one child it is not; of a flat
  // launch always the workgroups are. An only child beside others that are not is not asked about,
  // either: it is guaranteed where its parent is.
  constexpr bool has(Level level) const {
    return is_flat() ? level == Level::workgroup : siblings(level) > 1;
  }
  // The innermost level that there is; its groups are single threads.
  constexpr Level leaf() const {
    return subgroup_threads_ > 1 ? Level::thread
           : subgroups_ > 1      ? Level::subgroup
                                 : Level::workgroup;
  }

  // The threads of each subgroup of each workgroup, as placed() takes them.
  std::vector<std::vector<int>> sizes() const {
    std::vector<std::vector<int>> result(static_cast<std::size_t>(groups(Level::workgroup)));
    for (int s = 0; s < groups(Level::subgroup); ++s) {
      const int first = first_thread(Level::subgroup, s);
      result[static_cast<std::size_t>(group_of(Level::workgroup, first))].push_back(
          first_thread(Level::subgroup, s + 1) - first);
    }
    return result;
  }

  // How many threads run as what is a leaf here; 1 where they are independent.
  int lanes(int leaf) const {
    if (lane_begins_ == 0) return std::max(lanes_, 1);
    std::uint64_t rest = lane_begins_;
    for (int before = 0; before < leaf; ++before) rest &= rest - 1;
    const std::uint64_t behind = rest & (rest - 1);
    return (behind == 0 ? lane_ends_ : std::countr_zero(behind)) - std::countr_zero(rest);
  }

  // The same as text: "2|1" are a workgroup of two threads and one of one, "1,1|2" a
  // workgroup of two subgroups and one of one.
  std::string placement() const {
    std::string text;
    int leaf = 0;
    for (const std::vector<int>& workgroup : sizes()) {
      if (!text.empty()) text += "|";
      for (std::size_t s = 0; s < workgroup.size(); ++s) {
        text += (s > 0 ? "," : "") + std::to_string(lanes_ > 0 ? lanes(leaf++) : workgroup[s]);
      }
    }
    return text;
  }

  // "3 threads", "2 workgroups of 4 threads", "1 workgroup of 2 subgroups of 4 threads", "2
  // subgroups of 4 threads in lockstep", "2 workgroups of 2|1 threads"
  std::string to_string() const {
    const auto count = [](int number, const std::string& noun) {
      return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
    };
    if (lanes_ > 0 && (lane_begins_ != 0 || !is_equal())) {
      return count(workgroups_, "workgroup") + " of subgroups of " + placement() +
             " threads in lockstep";
    }
    if (lanes_ > 0) {
      return (subgroups_ > 1 ? count(workgroups_, "workgroup") + " of " : "") +
             count(subgroups_ > 1 ? subgroups_ : workgroups_, "subgroup") + " of " +
             count(lanes_, "thread") + " in lockstep";
    }
    if (is_flat()) return count(threads_, "thread");
    if (!is_equal()) {
      return count(workgroups_, "workgroup") + " of " + (subgroups_ > 1 ? "subgroups of " : "") +
             placement() + " threads";
    }
    return count(workgroups_, "workgroup") + " of " +
           (subgroups_ > 1 ? count(subgroups_, "subgroup") + " of " : "") +
           count(subgroup_threads_, "thread");
  }

  friend constexpr bool operator==(const Topology&, const Topology&) = default;
  friend constexpr auto operator<=>(const Topology&, const Topology&) = default;

 private:
  // The threads that are the first of their group.
  constexpr std::uint64_t begins(Level level) const {
    return level == Level::workgroup ? workgroup_begins_ : subgroup_begins_;
  }
  constexpr int most_in_workgroup() const {
    if (is_equal()) return subgroups_ * subgroup_threads_;
    int most = 0;
    for (int w = 0; w < workgroups_; ++w) {
      most =
          std::max(most, first_thread(Level::workgroup, w + 1) - first_thread(Level::workgroup, w));
    }
    return most;
  }

  int workgroups_, subgroups_, subgroup_threads_, threads_;
  // Of groups that are not equal; 0 of those that are.
  std::uint64_t workgroup_begins_ = 0, subgroup_begins_ = 0;
  int lanes_ = 0;  // of a subgroup in lockstep, the most; 0 where threads are independent
  // Where subgroups have different numbers of lanes: the lanes that are the first, and how many
  // lanes there are.
  std::uint64_t lane_begins_ = 0;
  int lane_ends_ = 0;
};

}  // namespace headway
