// One launch of a kernel: sizes, arguments and memory. Objects that each workgroup or thread has
// for itself are added by expand().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "kernel/ir/ir.hpp"
#include "kernel/machine/happens_before.hpp"
#include "kernel/machine/memory.hpp"

namespace headway::kernel {

using Size3 = std::array<std::uint32_t, 3>;
constexpr std::uint64_t volume(const Size3& size) {
  return std::uint64_t{size[0]} * size[1] * size[2];
}

struct Launch {
  const Module* module = nullptr;
  const Function* function = nullptr;
  Size3 grid = {1, 1, 1};  // workgroups
  // Those that have started, by their linear numbers; all where there are none.
  std::vector<std::uint32_t> started;
  Size3 block = {1, 1, 1};  // threads of each
  int subgroup = 32;        // threads of each subgroup; the last one of a workgroup may be smaller
  std::uint64_t workgroup_bytes = 0;  // of objects that the launch sizes
  // Of a host program: all workgroups run at the same time, so that they may meet; the program has
  // asked how many do.
  bool cooperative = true, fitted = false;

  std::vector<ObjectInfo> objects;
  Memory memory;
  std::vector<Instance> variables;  // of each object of the module; kNone where it has one per
                                    // workgroup, or stands for a function
  // By parameter. Of one that is passed by value, the pointer to what is copied; of one that points
  // into memory of the workgroup, to an object that each workgroup has one like.
  std::vector<Cell> arguments;

  int group_threads() const { return static_cast<int>(volume(block)); }
  int groups() const { return static_cast<int>(started.empty() ? volume(grid) : started.size()); }
  int threads() const { return groups() * group_threads(); }
  // The linear number in the grid of a workgroup that has started.
  int group_number(int group) const {
    return started.empty() ? group : static_cast<int>(started[static_cast<std::size_t>(group)]);
  }
  // Subgroups are numbered through the grid.
  int subgroup_of(int thread) const {
    const int many = (group_threads() + subgroup - 1) / subgroup;
    return thread / group_threads() * many + thread % group_threads() / subgroup;
  }
  Places places() const { return {threads(), group_threads(), subgroup}; }
  // Subgroups as the checker counts them; those of a workgroup must be equal.
  Topology topology() const;

  // Adds objects of workgroups and threads; to be called once, before the launch runs.
  void expand();
  // Of an object as a thread sees it.
  Instance instance(ObjectId id, int thread) const;
  // Of what a parameter points to that each thread or workgroup has for itself.
  bool has_own(std::uint32_t parameter) const {
    return by_value_index_[parameter] != kNone || group_parameter_index_[parameter] != kNone;
  }
  Instance own_argument(std::uint32_t parameter, int thread) const;
  // An argument as a thread sees it.
  Cell argument(std::uint32_t parameter, int thread) const {
    return has_own(parameter) ? Cell::pointer(own_argument(parameter, thread), 0)
                              : arguments[parameter];
  }
  // What Op::builtin gives a thread; nothing where it is not known before the thread runs.
  std::optional<std::uint64_t> builtin(const Instruction& i, int thread) const;
  // Of the objects that a thread has for itself: the first, and how many.
  std::pair<Instance, std::uint32_t> own(int thread) const {
    return {first_of_threads_ + static_cast<std::uint32_t>(thread) * per_thread_, per_thread_};
  }

 private:
  Instance first_of_groups_ = kNone, first_of_threads_ = kNone;
  std::vector<std::uint32_t> group_index_;  // of module objects, then of locals of the function
  std::uint32_t per_group_ = 0, per_thread_ = 0;
  std::vector<std::uint32_t> local_index_, by_value_index_, group_parameter_index_;
};

// Adds an object; `memory` and `objects` stay in step.
Instance add_object(Launch& launch, ObjectInfo info);

}  // namespace headway::kernel
