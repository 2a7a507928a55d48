#include "emit/expressible.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace headway::emit {
namespace {

constexpr int kWarp = 32;           // threads of a subgroup in CUDA
constexpr int kNamedBarriers = 15;  // in CUDA, besides that of __syncthreads()
constexpr int kBlock = 1024;        // threads in CUDA

// What a target has besides workgroups, their memory and barrier.
struct Means {
  bool subgroups = true;
  bool subgroup_barrier = true;
  bool labels = false;
  bool falls_through = true;
  bool host = false;  // comes with the program, and looks at memory behind a run
};

Means means_of(Target target) {
  switch (target) {
    case Target::cpp:
    case Target::cuda:
      return {true, true, true, true, true};
    case Target::opencl:
      return {true, true, true, true, false};
    case Target::amber:
      return {false, false, false, true, false};
    case Target::webgpu:
      return {true, false, false, false, false};
    default:
      return {};
  }
}

class Requirements {
 public:
  Requirements(const Kernel& kernel, Target target)
      : kernel_(kernel), groups_(*kernel.groups), target_(target), means_(means_of(target)) {}

  void check() const {
    if (groups_.falls_through && !means_.falls_through) {
      refuse("a case of a switch goes on in the next one; expected a break in front of it");
    }
    if (groups_.has_final && !means_.host) {
      refuse("no host comes with it that could look at memory at the end; expected no final block");
    }
    if (groups_.needs_subgroups()) check_subgroups();
    int apart = 0;  // barriers of workgroups where not all threads come by together
    int of_subgroups = 0, apart_in_subgroups = 0;
    for (const BarrierUse& barrier : groups_.barriers) {
      if (barrier.places == 0) continue;
      check(barrier);
      const bool of_subgroup = barrier.scope == BarrierUse::Scope::subgroup;
      if (of_subgroup) ++of_subgroups;
      if (!barrier.uniform) ++(of_subgroup ? apart_in_subgroups : apart);
    }
    if (target_ == Target::cuda && apart > kNamedBarriers) {
      refuse(
          fmt::format("it has {} barriers where not all threads of a workgroup come by together; "
                      "expected at most {}",
                      apart, kNamedBarriers));
    }
    if (target_ == Target::cuda && apart_in_subgroups > 0 && of_subgroups > 1) {
      refuse("__syncwarp() does not tell the barriers of its subgroups apart");
    }
    // Last: where a barrier is in the way, it may be what a branch goes around by a label.
    if (groups_.has_labels && !means_.labels) refuse("it has labels to go to");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(
        fmt::format("{} cannot be exported to {}: {}", kernel_.name, to_string(target_), why));
  }

  void check_subgroups() const {
    if (!means_.subgroups) {
      refuse(
          "how many threads a subgroup has is up to the device, and a script cannot ask; expected "
          "one subgroup in a workgroup, and no barrier or operation of it, or the target vulkan");
    }
    const int size = groups_.topology.subgroup_threads();
    if (target_ == Target::cuda && size > kWarp) {
      refuse(fmt::format("its subgroups have {} threads; expected at most {}", size, kWarp));
    }
    const int block = groups_.topology.subgroups() * kWarp;
    if (target_ == Target::cuda && block > kBlock) {
      refuse(
          fmt::format("a warp for each of its {} subgroups makes a block of {} threads; expected "
                      "at most {} subgroups in a workgroup",
                      groups_.topology.subgroups(), block, kBlock / kWarp));
    }
    if (!groups_.operates() || target_ == Target::cpp || target_ == Target::cuda) return;
    for (const OperationUse& use : groups_.operations) {
      if (use.uniform || use.place.empty()) continue;
      refuse(fmt::format(
          "{}: not all threads of a subgroup provably come by together, and who takes part then is "
          "up to the device; expected it behind no condition that depends on lid, lane, tid or "
          "memory, or the target cuda or cpp",
          use.place));
    }
  }

  void check(const BarrierUse& barrier) const {
    if (barrier.scope == BarrierUse::Scope::subgroup && !means_.subgroup_barrier) {
      refuse("WGSL has no barrier(subgroup); expected barrier(workgroup)");
    }
    if (barrier.scope == BarrierUse::Scope::grid) check_grid(barrier);
    // A barrier by which all come together does not meet threads that have ended.
    if (barrier.uniform || target_ == Target::cpp) return;
    if (target_ == Target::cuda) {
      if (!barrier.counts_ended) {
        refuse(
            "its barriers count threads that have ended, and some may have at one that does "
            "not; expected 'or ended' there, or a barrier that all threads come by");
      }
      return;
    }
    refuse(
        "what a barrier does that not all threads of a workgroup come by together is up to the "
        "device; expected none behind a condition that depends on lid, lane, tid or memory");
  }

  void check_grid(const BarrierUse& barrier) const {
    if (target_ == Target::cpp) return;
    if (target_ != Target::cuda) refuse("it has no barrier(grid)");
    if (!kernel_.options.cooperative) {
      refuse("barrier(grid) needs a cooperative launch; expected --cooperative");
    }
    if (kernel_.launch.instances > 1) {
      refuse("its barrier(grid) is one of all instances; expected the plain mapping, with one");
    }
    if (!barrier.uniform) {
      refuse(
          "not all threads provably come by barrier(grid) together; expected one behind no "
          "condition that depends on an id or on memory");
    }
  }

  const Kernel& kernel_;
  const Groups& groups_;
  Target target_;
  Means means_;
};

}  // namespace

void require_expressible(const Kernel& kernel, Target target) {
  if (kernel.groups) Requirements(kernel, target).check();
}

}  // namespace headway::emit
