// What the verdicts of a test shall be, and what follows from fairness alone: which cycles a test
// may have, and whether there can be such a test at all, whatever its size.
#pragma once

#include <vector>

#include "lang/test.hpp"
#include "models/model.hpp"

namespace headway::synth {

// "Passes (fails) under this reading of a model."
struct Filter {
  models::ModelPtr model;
  models::Fairness fairness;
  bool passes;
};

// Whether a test that satisfies all of `filters` may have a cycle along which the fair sets are
// constantly `fair` (by filter), exactly the threads `steps` step, and which is fair under
// filters[failing]. False is certain.
bool allows_cycle(const std::vector<Filter>& filters, std::size_t failing,
                  const std::vector<ThreadSet>& fair, ThreadSet steps);

// Whether no test with so many threads can satisfy all of `filters`, whatever its size: under some
// reading it must fail, and each cycle that is fair there makes it fail where it must pass.
bool contradictory(const std::vector<Filter>& filters, int threads);

}  // namespace headway::synth
