#include "support/agreement.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "support/budget.hpp"

namespace headway::testing {

using checker::Verdict;

int wanted_programs(int usual) { return wished("HEADWAY_AUTOMATA", budget(usual)); }

Verdict verdict_by_definition(const oracle::Lts& lts, models::Fairness fairness) {
  if (oracle::goes_wrong(lts)) return Verdict::error;
  return oracle::passes(lts, fairness) ? Verdict::pass : Verdict::fail;
}

checker::CheckResult check_agreement(checker::Checker& checker, const Automata& automata,
                                     const std::vector<models::ModelPtr>& models,
                                     const std::vector<checker::ModelVerdict>& wanted,
                                     const Exploration& exploration) {
  CAPTURE(exploration.name);
  const AutomataProgram program(automata, exploration.padding, exploration.heights);
  const checker::CheckResult result = checker.check(program, models, exploration.options);
  REQUIRE(result.complete);
  for (std::size_t m = 0; m < models.size(); ++m) {
    CAPTURE(models[m]->name());
    if (!(result.verdicts[m] == wanted[m])) {
      FAIL_CHECK(to_string(result.verdicts[m].weak)
                 << ", " << to_string(result.verdicts[m].strong) << " instead of "
                 << to_string(wanted[m].weak) << ", " << to_string(wanted[m].strong));
    }
  }
  return result;
}

void VerdictTally::add(const std::vector<checker::ModelVerdict>& verdicts) {
  for (const checker::ModelVerdict& verdict : verdicts) {
    pass += verdict.weak == Verdict::pass ? 1 : 0;
    fail += verdict.strong == Verdict::fail ? 1 : 0;
    error += verdict.weak == Verdict::error ? 1 : 0;
    strong_alone += verdict.weak != verdict.strong ? 1 : 0;
  }
}

}  // namespace headway::testing
