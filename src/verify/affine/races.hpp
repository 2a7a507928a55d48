// Which checks for races hold by sets of integers, before solvers are asked for anything.
#pragma once

#include <chrono>
#include <set>
#include <utility>

#include "verify/encoding/encoder.hpp"

namespace headway::verify::affine {

// Pairs of accesses that no two threads make at once, provided that no barrier diverges.
struct Apart {
  std::set<std::pair<const kernel::Instruction*, const kernel::Instruction*>> pairs;
  int asked = 0, shown = 0;
};

// Of all pairs that the checks of an encoding are about, until then. Nothing with `--no-rule
// affine`, with `--cross-check`, as nobody else shows the same, and where isl is not there.
Apart find_apart(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
                 const Options& options, const Encoding& encoding,
                 std::chrono::steady_clock::time_point until);

// Checks of such pairs hold.
void settle(smt::Context& context, const Apart& apart, Encoding& encoding);

// Whether nothing is left to show that what threads have accessed matters for.
bool needs_no_log(const smt::Context& context, const Encoding& encoding);

}  // namespace headway::verify::affine
