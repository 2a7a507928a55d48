// Tests of a suite that are the same, or that no progress model can tell apart.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "lang/test.hpp"

namespace headway::suite {

// The tests in groups; groups are numbered in the order of their first tests.
struct Groups {
  std::vector<std::uint32_t> group_of;  // of each test
  std::size_t count = 0;

  // The first test of each group.
  std::vector<std::size_t> representatives() const;
};

// Tests that are equal up to the names of locations, their own names, comments and expectations.
Groups same_programs(std::span<const lang::Test> tests);

struct BehaviourOptions {
  std::size_t max_states = 1'000'000;  // of one test
  const std::atomic<bool>* stop = nullptr;
  Progress* progress = nullptr;  // advanced by one a test
};

// Tests whose thread-labelled LTSs are bisimilar; they have equal verdicts under every progress
// model (checker/behaviour.hpp). Of tests beyond a limit, and of those with fair choices, only the
// same programs are grouped. On several cores.
Groups same_behaviours(std::span<const lang::Test> tests, const BehaviourOptions& options = {});

}  // namespace headway::suite
