// Small suites, and campaigns over them.
#pragma once

#include <string>

#include "campaign/results.hpp"
#include "support/files.hpp"

namespace headway::testing {

// Terminates whatever happens.
inline constexpr const char* kAlways =
    "litmus always\nlocations x;\nthread 0 { x = 1; }\nthread 1 { x = 0; }\n";
// Has nothing to wait for.
inline constexpr const char* kNever =
    "litmus never\nlocations x;\nthread 0 { while (Load(x) == 0); }\nthread 1 { x = 0; }\n";

// The outcomes of the runs of a test under a mapping; empty when there are none.
inline std::vector<campaign::RunOutcome> outcomes(const campaign::Results& results,
                                                  const std::string& test,
                                                  const std::string& mapping) {
  std::vector<campaign::RunOutcome> found;
  for (const campaign::TestRuns& runs : results.runs) {
    if (results.tests[runs.test].name != test || results.mappings[runs.mapping] != mapping)
      continue;
    for (const campaign::Run& run : runs.runs) found.push_back(run.outcome);
  }
  return found;
}

}  // namespace headway::testing
