// Whether loops end, whatever memory holds: some variable of a loop grows, or shrinks, from each
// round to the next, or what is between two numbers that are compared to leave it does, or the sum
// of two such distances. As there are finitely many values, a thread goes round finitely often (the
// ranking functions of A. M. Turing, "Checking a large routine", 1949).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "verify/encoding/encoder.hpp"
#include "verify/encoding/flow.hpp"
#include "verify/prover.hpp"

namespace headway::verify {

// Of loops that are not gone through round by round, in words.
struct Rankings {
  std::map<std::size_t, std::string> shown;  // what shrinks or grows, by the loop's number
  std::vector<std::string> open;  // of those that may go on: what was tried, and what they wait for
  bool counter_may_wrap = false;  // of one of these
  std::vector<std::string> assumed;  // that accesses stay within their arrays
  bool all_tried = true;             // else there was no time for that
};

// Asks about the loops that are not in known.shown yet, and lists those that stay open anew.
void rank_loops(smt::Context& context, const kernel::Module& module,
                const kernel::Function& function, const Flow& flow, const Encoding& encoding,
                Invariants invariants, Prover& prover, Rankings& known);

}  // namespace headway::verify
