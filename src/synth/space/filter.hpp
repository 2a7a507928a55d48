// What the verdicts of a test shall be, and what follows from fairness alone: which cycles a test
// may have, and whether there can be such a test at all, whatever its size.
#pragma once

#include <vector>

#include "base/bits/group_set.hpp"
#include "lang/test.hpp"
#include "models/model.hpp"

namespace headway::synth {

// "Passes (fails) under this reading of a model."
struct Filter {
  models::ModelPtr model;
  models::Fairness fairness;
  bool passes;
};

// Whether a test without barriers that satisfies all of `filters` may have a cycle along which the
// groups that are owed steps are constantly `owed` (by filter), exactly the threads of `steps`
// step, and which is fair under filters[failing]. `steps` are these threads and the groups around
// them. False is certain.
bool allows_cycle(const std::vector<Filter>& filters, std::size_t failing,
                  const std::vector<GroupSet>& owed, const GroupSet& steps);

// Whether the order of the models alone says that no test of such a launch can satisfy all of
// `filters`: some reading under which it must pass is at most one under which it must fail. False
// for launches beyond the limits of the order. `may_block`: where the tests may have barriers.
bool ruled_out_by_order(const std::vector<Filter>& filters, const Topology& launch, bool may_block);

// Whether no test without barriers of such a launch can satisfy all of `filters`, whatever its
// size: under some reading it must fail, and each cycle that is fair there makes it fail where it
// must pass.
bool contradictory(const std::vector<Filter>& filters, const Topology& launch);

}  // namespace headway::synth
