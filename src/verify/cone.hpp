// The cone of influence of what is left to show: which variables of loops its claims hang on, by
// what these are set to, whether a round is gone through, and what is assumed of them. Invariants
// about other variables cost time and decide nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "verify/encoding/encoder.hpp"
#include "verify/termination.hpp"

namespace headway::verify {

// The numbers of candidates that speak of a variable outside the cone of the checks that are not
// true yet and of the loops that `ends` does not show to end; none that the author wrote. With
// `without_races` checks for races count as settled, and so do candidates about what was accessed.
std::vector<std::size_t> outside_cone(const smt::Context& context, const Rankings& ends,
                                      bool without_races, const Encoding& encoding);

}  // namespace headway::verify
