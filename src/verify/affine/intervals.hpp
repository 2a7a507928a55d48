// What threads of one workgroup may do between two barriers. All threads of a workgroup come to the
// same barriers in the same rounds of the loops around them (that is divergence, which is shown
// elsewhere), so an interval is the start of the kernel or a barrier, in certain rounds, and what
// can be reached from there without another barrier.
#pragma once

#include <compare>
#include <map>
#include <set>
#include <vector>

#include "verify/encoding/flow.hpp"

namespace headway::verify::affine {

// How the rounds of an access are related to those of the barrier. In the loops around the barrier
// they are the same, but that the loop with the number `crossed` is in a later round, and those
// within it in any; of a loop that has been left since, its last round is. Loops that were come to
// since are in any round, or in their first one.
struct Arrival {
  static constexpr int kSame = 1 << 20;  // no loop is
  int crossed = kSame;
  bool further = false;  // than the next round
  std::set<int> first;   // loops in their first round, or left in it
  auto operator<=>(const Arrival&) const = default;
};

struct Interval {
  std::vector<int> loops;  // around the barrier, the outermost first
  std::map<const kernel::Instruction*, std::set<Arrival>> reached;
};

// Of memory of workgroups or of global memory: barriers that do not order it are none.
std::vector<Interval> intervals_of(const kernel::Function& function, const Flow& flow,
                                   bool of_group);

}  // namespace headway::verify::affine
