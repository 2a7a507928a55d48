// One concrete run of some workgroups of a launch, one thread after the other between barriers, in
// which accesses that nothing orders are races. What it finds is an execution that exists: groups
// that do not run have not started yet, and accesses that atomics or fences may order do not count.
// It proves nothing. Linear in the instructions that are run, until `until`.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "verify/encoding/conditions.hpp"
#include "verify/suspect.hpp"
#include "verify/trial_launch.hpp"

namespace headway::verify {

struct TrialFault {
  Property property = Property::race;
  int line = 0;
  std::string detail;
  std::vector<Side> sides;  // of both threads, where there are two
  bool wraps = true;        // whether arithmetic may have wrapped around before (wrapping.hpp)
};

// The first error of each property that was found; nothing where the run left what is understood,
// or an assumption did not hold.
struct TrialResult {
  std::vector<TrialFault> faults;
  bool complete = false;  // all threads that run have ended
};
TrialResult try_launch(const kernel::Module& module, const kernel::Function& function,
                       const TrialLaunch& launch, std::chrono::steady_clock::time_point until);

}  // namespace headway::verify
