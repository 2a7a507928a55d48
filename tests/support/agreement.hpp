// What the tests share that hold the checker against the oracle on random automata.
#pragma once

#include <vector>

#include "checker/check.hpp"
#include "support/automata_program.hpp"

namespace headway::testing {

// As many programs as HEADWAY_AUTOMATA in the environment says, or as is usual.
int wanted_programs(int usual);

checker::Verdict verdict_by_definition(const oracle::Lts& lts, models::Fairness fairness);

// How to explore: as a whole, or by a sweep of the states.
struct Exploration {
  const char* name;
  checker::CheckOptions options;
  int padding = 0;
  bool heights = false;
};

// Checks that exploring so gives the wanted verdicts, one a model.
checker::CheckResult check_agreement(checker::Checker& checker, const Automata& automata,
                                     const std::vector<models::ModelPtr>& models,
                                     const std::vector<checker::ModelVerdict>& wanted,
                                     const Exploration& exploration);

// How often which verdicts came up.
struct VerdictTally {
  int pass = 0, fail = 0, error = 0, strong_alone = 0;

  void add(const std::vector<checker::ModelVerdict>& verdicts);
};

}  // namespace headway::testing
