// The fewest tests of a suite whose verdicts tell apart whatever readings of models the suite can
// tell apart, so that few runs place a device among the models.
#pragma once

#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "suite/matrix.hpp"
#include "suite/suite_order.hpp"

namespace headway::suite {

using ReadingPair = std::pair<models::Reading, models::Reading>;

struct Fingerprint {
  // No set of fewer tests separates the same pairs. Among the sets of this size the one that is
  // first when their smallest tests are compared first (suite::smaller(), then the suite's order).
  std::vector<std::size_t> tests;
  std::vector<ReadingPair> separated;    // pass under the one and fail under the other, in a test
  std::vector<ReadingPair> inseparable;  // by any test of the suite
  bool complete = true;                  // false: interrupted; `tests` is empty
};

// `tests` are those of the matrix. An unknown verdict separates nothing.
Fingerprint fingerprint(const VerdictMatrix& matrix, const SuiteOrder& order,
                        std::span<const lang::Test> tests, const std::atomic<bool>* stop = nullptr);

}  // namespace headway::suite
