// The checker against the literal oracle on launches of groups under models for each level, in
// every way that it has to explore them. headway_tests -ltc lists the cases; more programs are
// tried with HEADWAY_AUTOMATA=COUNT in the environment.
#include <doctest/doctest.h>

#include <optional>

#include "checker/explain.hpp"
#include "models/scoped.hpp"
#include "support/agreement.hpp"
#include "support/budget.hpp"
#include "support/model_pairs.hpp"

namespace headway::testing {
namespace {

using checker::Verdict;
using models::Fairness;

// Launches of two to four threads, now and then more.
oracle::Launch draw_launch(int i) {
  const oracle::Launch launches[] = {{2, 1, 2}, {1, 2, 2}, {2, 2, 1}, {1, 1, 3}, {2, 1, 1},
                                     {1, 1, 4}, {3, 1, 1}, {1, 4, 1}, {2, 1, 3}, {2, 2, 2}};
  return launches[static_cast<std::size_t>(i) % std::size(launches)];
}

Automata draw_grouped(Random& random, int i) {
  AutomataShape shape;
  shape.launch = draw_launch(i);
  shape.threads = shape.launch->threads();
  shape.states = shape.threads >= 4 ? 2 : 3;
  shape.variables = shape.threads > 4 ? 1 : 2;
  shape.values = 3;
  shape.failures = i % 13 == 0;
  shape.awaits = i % 7 < 4;
  shape.choices = i % 11 != 0;
  shape.fair_choices = i % 3 == 0;
  shape.barriers = i % 3 != 0;
  return i % 2 == 1 ? beside_toggler(random, shape) : random_automata(random, shape);
}

struct ScopedPair {
  models::ModelPtr fast;
  oracle::ScopedModel slow;
};

// A model of `pairs` at each level, or none.
ScopedPair draw_scoped(Random& random, const Pairs& pairs) {
  models::ModelsByLevel members;
  oracle::ScopedModel slow;
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    if (once_in(random, 4)) continue;
    const Pair& pair =
        pairs[static_cast<std::size_t>(below(random, static_cast<int>(pairs.size())))];
    members[level] = pair.fast;
    slow.at(oracle::kLevels[level]) = pair.slow.form;
  }
  const std::string name = models::scoped_name(members);
  slow.name = name;
  return {std::make_shared<models::ScopedModel>(name, "", members), slow};
}

std::vector<Exploration> grouped_explorations() {
  std::vector<Exploration> result(8);
  result[0].name = "as a whole";
  result[0].options.reductions.layers = false;
  result[1].name = "swept up to symmetry";
  result[2] = {"swept up to symmetry with heights, in two words", {}, 1, true};
  result[3] = {"swept without symmetry, in five words, without early stop", {}, 4, false};
  result[4] = {"swept up to symmetry, with the whole history", {}, 0, true};
  result[5].name = "swept up to symmetry, with silent steps as all others";
  result[5].options.reductions.silent_steps = false;
  result[6] = {"swept up to symmetry with heights, without sleep sets", {}, 0, true};
  result[6].options.reductions.sleep_sets = false;
  result[7] = {"swept without symmetry, with heights and without silent steps", {}, 0, true};
  result[7].options.reductions.symmetry = false;
  result[7].options.reductions.silent_steps = false;
  for (std::size_t w = 1; w < result.size(); ++w) result[w].options.small = 1;
  result[3].options.reductions.early_stop = false;
  result[3].options.reductions.symmetry = false;
  result[4].options.reductions.history = false;
  return result;
}

}  // namespace

TEST_CASE("checker/scopes_agreement: all ways of exploring agree with the oracle") {
  Random random(61);
  const Pairs functions = standard_pairs() + family_pairs(), all = all_pairs();
  std::optional<checker::Checker> checker;
  VerdictTally tally;
  int symmetric = 0, remembering = 0;
  for (int i = 0; i < wanted_programs(600 / testing::kShare); ++i) {
    if (i % 100 == 0) checker.emplace();  // what it keeps of models grows
    const Automata automata = draw_grouped(random, i);
    CAPTURE(to_string(automata));
    std::vector<models::ModelPtr> fast;
    std::vector<checker::ModelVerdict> wanted;
    bool small = true;
    for (int m = 0; m < 4 && small; ++m) {
      const ScopedPair pair = draw_scoped(random, m == 3 ? all : functions);
      const auto lts = oracle::explore(behaviour_of(automata), pair.slow, 400);
      small = lts.has_value();
      if (!small) break;
      fast.push_back(pair.fast);
      wanted.push_back({verdict_by_definition(*lts, Fairness::weak),
                        verdict_by_definition(*lts, Fairness::strong)});
      remembering += pair.fast->history_determined() ? 0 : 1;
    }
    if (!small) continue;
    for (const Exploration& exploration : grouped_explorations()) {
      const auto result = check_agreement(*checker, automata, fast, wanted, exploration);
      symmetric += result.swept && !result.swept->interchangeable.empty() ? 1 : 0;
    }
    tally.add(wanted);
  }
  CHECK(tally.pass > 300 / testing::kShare);
  CHECK(tally.fail > 300 / testing::kShare);
#ifndef HEADWAY_SANITIZED  // too few programs to be sure of one
  CHECK(tally.error > 0);
  CHECK(tally.strong_alone > 0);
#endif
  CHECK(symmetric > 200 / testing::kShare);
  CHECK(remembering > 50 / testing::kShare);
}

TEST_CASE("checker/scopes_agreement: witnesses replay") {
  Random random(62);
  const Pairs all = all_pairs();
  checker::CheckOptions few;  // eight threads that choose have many states
  few.max_states = 100'000;
  int cycles = 0, stuck = 0, broken = 0;
  for (int i = 0; i < wanted_programs(100 / testing::kShare); ++i) {
    const Automata automata = draw_grouped(random, i);
    CAPTURE(to_string(automata));
    const AutomataProgram program(automata);
    for (int m = 0; m < 3; ++m) {
      const ScopedPair pair = draw_scoped(random, all);
      CAPTURE(pair.fast->name());
      for (const Fairness fairness : models::kFairnesses) {
        // It throws when a witness does not replay.
        const checker::Explanation found = checker::explain(program, *pair.fast, fairness, few);
        if (found.verdict == Verdict::pass) broken += static_cast<int>(found.broken.size());
        if (found.verdict != Verdict::fail) continue;
        ++(found.witness->lasso.cycle.empty() ? stuck : cycles);
      }
    }
  }
  CHECK(cycles > 10 / testing::kShare);
  CHECK(stuck > 5 / testing::kShare);
  CHECK(broken > 3 / testing::kShare);
}

TEST_CASE("checker/scopes_agreement: a flat launch is judged as its threads are") {
  Random random(63);
  std::optional<checker::Checker> checker;
  for (int i = 0; i < wanted_programs(300 / testing::kShare); ++i) {
    if (i % 100 == 0) checker.emplace();
    AutomataShape shape;
    shape.threads = 2 + i % 2;
    shape.failures = i % 5 == 0;
    const AutomataProgram program(random_automata(random, shape));
    std::vector<models::ModelPtr> plain, scoped;
    for (const Pair& pair : standard_pairs()) {
      plain.push_back(pair.fast);
      // What is said of levels that there are not makes no difference.
      scoped.push_back(std::make_shared<models::ScopedModel>(
          pair.fast->name(), "", models::ModelsByLevel{pair.fast, pair.fast, pair.fast}));
    }
    CHECK(checker->check(program, plain).verdicts == checker->check(program, scoped).verdicts);
  }
}

}  // namespace headway::testing
