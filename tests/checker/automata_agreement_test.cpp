// The checker against the literal oracle on programs whose threads wait, choose, end and fail, in
// every way that it has to explore them. headway_tests -ltc lists the cases; more programs are
// tried with HEADWAY_AUTOMATA=COUNT in the environment.
#include <doctest/doctest.h>

#include "checker/behaviour.hpp"
#include "checker/explain.hpp"
#include "checker/labelled_graph.hpp"
#include "models/library.hpp"
#include "support/agreement.hpp"
#include "support/budget.hpp"
#include "support/model_pairs.hpp"

using namespace headway;
using checker::Verdict;
using models::Fairness;
using testing::Automata;
using testing::AutomataProgram;
using testing::AutomataShape;
using testing::check_agreement;
using testing::Exploration;
using testing::kShare;
using testing::Pair;
using testing::Pairs;
using testing::Random;
using testing::verdict_by_definition;
using testing::wanted_programs;

namespace {

Automata draw(Random& random, int i) {
  AutomataShape shape;
  shape.threads = 2 + i % 3;
  shape.states = shape.threads == 4 ? 2 : 3;
  shape.variables = 2;
  shape.values = 3;
  shape.failures = i % 5 == 0;
  shape.awaits = i % 7 != 0;
  shape.choices = i % 11 != 0;
  return i % 2 == 1 ? beside_toggler(random, shape) : random_automata(random, shape);
}

std::vector<Exploration> explorations() {
  std::vector<Exploration> result(6);
  result[0].name = "as a whole";
  result[0].options.reductions.layers = false;
  result[1].name = "swept";
  result[2] = {"swept with heights, in two words", {}, 1, true};
  result[3] = {"swept in five words, without early stop", {}, 4, false};
  result[4] = {"swept in forty words, with the whole history", {}, 40, true};
  result[5] = {"swept with heights, without symmetry", {}, 0, true};
  result[5].options.reductions.symmetry = false;
  for (std::size_t w = 1; w < result.size(); ++w) result[w].options.small = 1;
  result[3].options.reductions.early_stop = false;
  result[4].options.reductions.history = false;
  return result;
}

}  // namespace

TEST_CASE("checker/automata_agreement: all ways of exploring agree with the oracle") {
  Random random(31);
  const Pairs standard = testing::standard_pairs(), all = testing::all_pairs();
  testing::VerdictTally tally;
  int stuck = 0;
  checker::Checker checker;
  for (int i = 0; i < wanted_programs(1000 / kShare); ++i) {
    const Automata automata = draw(random, i);
    CAPTURE(to_string(automata));
    std::vector<models::ModelPtr> fast;
    std::vector<checker::ModelVerdict> wanted;
    bool small = true;
    for (const Pair& pair : i % 10 == 0 ? all : standard) {
      const auto lts = oracle::explore(behaviour_of(automata), pair.slow, 400);
      small = small && lts.has_value();
      if (!small) break;
      fast.push_back(pair.fast);
      wanted.push_back({verdict_by_definition(*lts, Fairness::weak),
                        verdict_by_definition(*lts, Fairness::strong)});
      stuck += oracle::gets_stuck(*lts) ? 1 : 0;
    }
    if (!small) continue;
    for (const Exploration& exploration : explorations()) {
      check_agreement(checker, automata, fast, wanted, exploration);
    }
    tally.add(wanted);
  }
  CHECK(tally.pass > 500 / kShare);
  CHECK(tally.fail > 500 / kShare);
  CHECK(tally.error > 200 / kShare);
  CHECK(stuck > 200 / kShare);
  CHECK(tally.strong_alone > 10 / kShare);
}

TEST_CASE("checker/automata_agreement: witnesses of waiting and choosing programs replay") {
  Random random(32);
  const Pairs pairs = testing::standard_pairs();
  int cycles = 0, stuck = 0, chosen = 0, broken = 0;
  for (int i = 0; i < wanted_programs(350); ++i) {
    const AutomataProgram program(draw(random, i));
    for (const Pair& pair : pairs) {
      for (const Fairness fairness : models::kFairnesses) {
        // It throws when a witness does not replay.
        const checker::Explanation found = checker::explain(program, *pair.fast, fairness);
        if (found.verdict == Verdict::pass) broken += static_cast<int>(found.broken.size());
        if (found.verdict != Verdict::fail) continue;
        const checker::Lasso& lasso = found.witness->lasso;
        ++(lasso.cycle.empty() ? stuck : cycles);
        chosen += std::any_of(lasso.cycle.begin(), lasso.cycle.end(),
                              [](const lang::Step& step) { return step.choice > 0; })
                      ? 1
                      : 0;
        // Not a step of a cycle may be left out where all are needed.
        if (fairness == Fairness::weak && found.witness->smallest && lasso.cycle.size() > 1) {
          checker::Lasso shorter = lasso;
          shorter.cycle.pop_back();
          CHECK(checker::replay(program, *pair.fast, fairness, shorter).objection);
        }
      }
    }
  }
  CHECK(cycles > 500);
  CHECK(stuck > 200);
  CHECK(chosen > 25);
  CHECK(broken > 5);
}

TEST_CASE("checker/automata_agreement: programs of one behaviour have the same verdicts") {
  Random random(33);
  models::Library library;
  std::map<checker::Behaviour, std::vector<checker::ModelVerdict>> seen;
  checker::BehaviourFinder finder;
  checker::Checker checker;
  int met_again = 0, fair = 0;
  for (int i = 0; i < wanted_programs(1500 / kShare); ++i) {
    AutomataShape shape;
    shape.states = 1 + i % 2;
    shape.failures = i % 3 == 0;
    shape.fair_choices = i % 5 == 0;
    const AutomataProgram program(random_automata(random, shape));
    const auto behaviour = finder.find(program);
    if (!behaviour) {  // only where choices are fair
      checker::Analysis analysis;
      REQUIRE(analysis.explore(program, {false, checker::kDefaultMaxStates, {}}));
      bool chooses = false;
      for (checker::StateId state = 0; state < analysis.lts().states(); ++state) {
        chooses = chooses || !analysis.lts().fair_choices(state).empty();
      }
      CHECK(chooses);
      ++fair;
      continue;
    }
    const auto verdicts = checker.check(program, library.standard()).verdicts;
    const auto [entry, is_new] = seen.try_emplace(*behaviour, verdicts);
    met_again += is_new ? 0 : 1;
    CHECK(entry->second == verdicts);
  }
  CHECK(met_again > 200 / kShare);
  CHECK(seen.size() > 150 / kShare);
  CHECK(fair > 20 / kShare);
}

TEST_CASE("checker/automata_agreement: reduced graphs have the verdict of the whole") {
  Random random(34);
  models::Library library;
  const auto models = library.standard();
  for (int i = 0; i < wanted_programs(150); ++i) {
    const AutomataProgram program(draw(random, i));
    for (const auto& model : models) {
      for (const Fairness fairness : models::kFairnesses) {
        const auto graph = checker::step_view(program, model.get(), fairness, {});
        REQUIRE(graph);
        const auto reduced = checker::reduce(*graph);
        CHECK(reduced.nodes.size() <= graph->nodes.size());
        const auto marked = [](const checker::LabelledGraph& any) {
          return std::any_of(any.nodes.begin(), any.nodes.end(),
                             [](const auto& node) { return node.on_fair_cycle; });
        };
        CHECK(marked(reduced) == marked(*graph));
        CHECK(checker::reduce(reduced).nodes.size() == reduced.nodes.size());
      }
    }
  }
}
