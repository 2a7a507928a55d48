// Whether loops end, whatever memory holds: some variable of a loop grows, or shrinks, from each
// round to the next, or what is between two numbers that are compared to leave it does, or the sum
// of two such distances. As there are finitely many values, a thread goes round finitely often (the
// ranking functions of A. M. Turing, "Checking a large routine", 1949).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/encoding/encoder.hpp"
#include "verify/prover.hpp"

namespace headway::verify {

// What shrinks or grows in each loop that is not gone through round by round, in words; none where
// that is not shown of one of them. Invariants that are alive are taken to hold.
std::optional<std::vector<std::string>> rankings(smt::Context& context,
                                                 const kernel::Function& function,
                                                 const Encoding& encoding, Prover& prover);

}  // namespace headway::verify
