// Who watches a trial (trial.hpp): told of jumps, accesses and barriers of threads as they happen.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "verify/trial_launch.hpp"

namespace headway::verify {

struct TrialResult;

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void begins(const TrialLaunch& launch) = 0;
  // Threads have numbers: those of the first workgroup that runs come first. Registers are those
  // behind the jump, by value.
  virtual void jumps(std::size_t thread, kernel::BlockId from, kernel::BlockId to,
                     const std::vector<TrialValue>& registers) = 0;
  // A load, a store or an atomic access, of a region (regions.hpp).
  virtual void accesses(std::size_t thread, const kernel::Instruction& by, int region,
                        std::uint64_t offset, TrialValue value) = 0;
  virtual void passes(std::size_t thread, const kernel::Instruction& barrier) = 0;
  virtual void ends(const TrialLaunch& launch, const TrialResult& result) = 0;
};

}  // namespace headway::verify
