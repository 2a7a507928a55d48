// The oracle on random launches whose groups hold several threads: its three deciders against each
// other, and what docs/reference/semantics.md says of all programs and launches.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "oracle/oracle.hpp"
#include "support/automata_by_hand.hpp"
#include "support/budget.hpp"
#include "support/oracle_models.hpp"

namespace headway::random_scopes_test {
namespace {

using models::Fairness;
using oracle::Launch;
using oracle::Level;
using oracle::Lts;
using oracle::Model;
using oracle::ScopedModel;
using oracle::State;
using oracle::Threads;
using testing::Automata;
using testing::AutomataShape;
using testing::behaviour_of;
using testing::below;
using testing::beside_toggler;
using testing::built_in;
using testing::kKeep;
using testing::LocalStates;
using testing::once_in;
using testing::Random;
using namespace testing::by_hand;

const std::vector<Launch> kShapes = {{2, 1, 2}, {1, 2, 2}, {2, 2, 1}, {2, 1, 1}, {1, 1, 3}};

// Of a random program, what is asked of it.
struct Wanted {
  int states = 2;  // of a thread, at most
  bool waiting = true;
};

// Threads that run down their code, and wait and spin on the way for what others store.
Automata random_meeting(Random& random, const Launch& launch, const Wanted& wanted) {
  const bool has_barrier = wanted.waiting && once_in(random, 3);
  const auto statement = [&](int at) {
    const int variable = below(random, 2);
    switch (below(random, 8)) {
      case 0:
        return wanted.waiting ? await(variable, 1, at + 1) : look(at + 1);
      case 1:
        return choose_fairly({{kKeep, below(random, at + 1)}, {1, at + 1}}, variable);
      case 2:
        return has_barrier ? barrier(0, at + 1) : look(at + 1);
      case 3:
        return once_in(random, 2) ? testing::toggler().front() : store(variable, 1, at + 1);
      case 4:
      case 5:
        return store(variable, 1, at + 1);
      default:
        return spin(at, variable, 1, at + 1);
    }
  };
  Automata result = launched(launch, program(2, {}));
  if (has_barrier) result.barriers = {{Level::workgroup, once_in(random, 2)}};
  for (int t = 0; t < launch.threads(); ++t) {
    LocalStates thread;
    const int length = 1 + below(random, wanted.states);
    for (int at = 0; at < length; ++at) thread.push_back(statement(at));
    thread.push_back(kEnd);
    result.threads.push_back(thread);
  }
  return result;
}

Automata random_program(Random& random, const Launch& launch, const Wanted& wanted) {
  AutomataShape shape;
  shape.launch = launch;
  if (once_in(random, 2)) return random_meeting(random, launch, wanted);
  shape.states = 1 + below(random, wanted.states);
  shape.variables = 2;
  shape.values = 3;
  shape.awaits = wanted.waiting && !once_in(random, 4);
  shape.choices = once_in(random, 2);
  shape.fair_choices = true;
  shape.barriers = wanted.waiting && once_in(random, 3);
  shape.failures = once_in(random, 20);
  return once_in(random, 2) ? beside_toggler(random, shape) : random_automata(random, shape);
}

template <class T>
const T& any_of_list(Random& random, const std::vector<T>& list) {
  return list[static_cast<std::size_t>(below(random, static_cast<int>(list.size())))];
}

ScopedModel random_scoped(Random& random, const std::vector<Model>& models) {
  const Model& workgroup = any_of_list(random, models);
  const Model& subgroup = any_of_list(random, models);
  return oracle::scoped(workgroup, subgroup, any_of_list(random, models));
}

// Built-in models in both forms, arbitrary ones, and ones that change inside cycles.
std::vector<Model> many_models() {
  std::vector<Model> models = testing::both_forms();
  for (const Model& model : testing::changing_models()) models.push_back(model);
  for (const int seed : {1, 2, 3, 4, 5, 6}) models.push_back(testing::arbitrary_model({seed}));
  return models;
}

struct Verdicts {
  bool weak = false, strong = false;
  friend bool operator==(const Verdicts&, const Verdicts&) = default;
};

Verdicts verdicts(const Lts& lts) {
  return {oracle::passes(lts, Fairness::weak), oracle::passes(lts, Fairness::strong)};
}

// Nothing where the program is too large.
std::optional<Verdicts> verdicts_of(const Automata& automata, const ScopedModel& model) {
  const auto lts = oracle::explore(behaviour_of(automata), model, 150);
  if (!lts) return std::nullopt;
  return verdicts(*lts);
}

bool any_choice(const Lts& lts, bool fair) {
  return std::any_of(
      lts.transitions.begin(), lts.transitions.end(),
      [&](const oracle::Transition& t) { return t.choice > 0 && t.fair_choice == fair; });
}

// The i-th of many, on the shapes in turn: mostly programs whose verdicts depend on the model.
Automata random_launch(Random& random, int i, const Wanted& wanted = {}) {
  const Launch& launch = kShapes[static_cast<std::size_t>(i) % kShapes.size()];
  for (;;) {
    const Automata automata = random_program(random, launch, wanted);
    const auto passes = [&](const std::string& name) {
      const auto lts = oracle::explore(behaviour_of(automata), built_in(name, name, name), 150);
      return lts && oracle::passes(*lts, Fairness::strong);
    };
    if (once_in(random, 20) || (passes("fair") && !passes("unfair"))) return automata;
  }
}

}  // namespace

TEST_CASE("oracle/random_scopes: components and all sets of states and of transitions agree") {
  Random random(41);
  const std::vector<Model> models = many_models();
  std::map<std::string, int> met;
  for (int i = 0; i < testing::budget(250); ++i) {
    const Automata automata = random_launch(random, i);
    for (int m = 0; m < 4; ++m) {
      const ScopedModel model = random_scoped(random, models);
      const auto lts = oracle::explore(behaviour_of(automata), model, 150);
      if (!lts) continue;
      const oracle::LargestComponent largest = oracle::largest_component(*lts);
      const bool few_states = largest.states <= 8;
      const bool few_transitions = largest.transitions <= 9;
      if (largest.states == 0 || (!few_states && !few_transitions)) continue;
      const Verdicts expected = verdicts(*lts);
      const bool is_stuck = oracle::gets_stuck(*lts);
      met["stuck"] += is_stuck ? 1 : 0;
      met["wrong"] += oracle::goes_wrong(*lts) ? 1 : 0;
      met["strong alone"] += expected.strong && !expected.weak ? 1 : 0;
      met["pass"] += expected.strong ? 1 : 0;
      met["fail"] += !expected.strong && !is_stuck ? 1 : 0;
      met["fair choice"] += any_choice(*lts, /*fair=*/true) ? 1 : 0;
      met["other choice"] += any_choice(*lts, /*fair=*/false) ? 1 : 0;
      CAPTURE(model.name);
      CAPTURE(to_string(automata));
      for (const Fairness fairness : models::kFairnesses) {
        CAPTURE(to_string(fairness));
        const bool passes = fairness == Fairness::weak ? expected.weak : expected.strong;
        if (few_states) {
          ++met["by states"];
          if (oracle::passes_by_state_sets(*lts, fairness) != passes) FAIL_CHECK("states");
        }
        if (few_transitions) {
          ++met["by transitions"];
          if (oracle::passes_by_transition_sets(*lts, fairness) != passes) {
            FAIL_CHECK("transitions");
          }
        }
      }
    }
  }
  CHECK(met["by states"] > 1000);
  CHECK(met["by transitions"] > 1000);
  CHECK(met["pass"] > 200);
  CHECK(met["fail"] > 400);
  CHECK(met["strong alone"] > 5);
  CHECK(met["fair choice"] > 200);
  CHECK(met["other choice"] > 20);
  CHECK(met["stuck"] > 10);
  CHECK(met["wrong"] > 1);
}

TEST_CASE(
    "oracle/random_scopes: weak pass implies strong pass, a stronger level only fail into pass") {
  Random random(42);
  const std::vector<testing::Strengthening> steps = testing::strengthenings();
  std::vector<Model> models = oracle::set_models();
  for (const int seed : {1, 2, 3}) models.push_back(testing::arbitrary_model({seed}));
  std::map<std::string, int> met;
  for (int i = 0; i < testing::budget(200); ++i) {
    const Automata automata = random_launch(random, i);
    for (int m = 0; m < 4; ++m) {
      ScopedModel less = random_scoped(random, models), more = less;
      const testing::Strengthening& step = any_of_list(random, steps);
      const Level level = oracle::kLevels[below(random, 3)];
      less.at(level) = step.less.form;
      more.at(level) = step.more.form;
      const auto by_less = verdicts_of(automata, less), by_more = verdicts_of(automata, more);
      if (!by_less || !by_more) continue;
      CAPTURE(less.name);
      CAPTURE(step.less.name);
      CAPTURE(step.more.name);
      CAPTURE(static_cast<int>(level));
      CAPTURE(to_string(automata));
      CHECK((by_less->strong || !by_less->weak));
      CHECK((by_more->strong || !by_more->weak));
      CHECK((by_more->weak || !by_less->weak));
      CHECK((by_more->strong || !by_less->strong));
      ++met["compared"];
      met["gained"] += by_more->weak && !by_less->weak ? 1 : 0;
      met["gained strongly"] += by_more->strong && !by_less->strong ? 1 : 0;
      met["strong alone"] += by_more->strong && !by_more->weak ? 1 : 0;
    }
  }
  CHECK(met["compared"] > 600);
  CHECK(met["gained"] > 30);
  CHECK(met["gained strongly"] > 30);
  CHECK(met["strong alone"] > 3);
}

// The definitions for flat launches, in which there are no groups, tried on all sets of states.
namespace {

bool passes_without_groups(const Lts& lts, const oracle::SetForm& fair, Fairness fairness) {
  if (oracle::gets_stuck(lts)) return false;
  std::vector<Threads> owed;
  for (const State& state : lts.states) {
    owed.push_back(oracle::intersect(fair(state.history), state.running));
  }
  const int threads = lts.launch.threads();
  for (unsigned set = 1; set < 1U << lts.states.size(); ++set) {
    const auto contains = [&](int state) { return (set >> state & 1) != 0; };
    std::vector<unsigned> reached(lts.states.size(), 0);
    std::vector<Threads> stepping(lts.states.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (const oracle::Transition& t : lts.transitions) {
        if (!contains(t.from) || !contains(t.to)) continue;
        stepping[t.from].insert(t.thread);
        const unsigned further = reached[t.from] | reached[t.to] | 1U << t.to;
        changed = changed || further != reached[t.from];
        reached[t.from] = further;
      }
    }
    bool is_fair = true;
    Threads all_steps, always;
    for (int t = 0; t < threads; ++t) always.insert(t);
    for (int s = 0; s < static_cast<int>(lts.states.size()); ++s) {
      if (!contains(s)) continue;
      is_fair = is_fair && reached[s] == set;
      all_steps = oracle::unite(all_steps, stepping[s]);
      always = oracle::intersect(always, owed[s]);
      if (fairness == Fairness::weak) continue;
      is_fair = is_fair && oracle::without(owed[s], stepping[s]).empty();
    }
    if (fairness == Fairness::weak) is_fair = is_fair && oracle::without(always, all_steps).empty();
    if (is_fair) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("oracle/random_scopes: a launch with children at one level is flat") {
  Random random(43);
  const std::vector<Launch> flat = {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {3, 1, 1}, {1, 1, 3}};
  std::vector<Model> models = oracle::set_models();
  for (const int seed : {1, 2, 3}) models.push_back(testing::arbitrary_model({seed}));
  int passing = 0, failing = 0, strong_alone = 0;
  for (int i = 0; i < testing::budget(800); ++i) {
    AutomataShape shape;
    shape.launch = any_of_list(random, flat);
    shape.states = 1 + below(random, shape.launch->threads() == 3 ? 1 : 3);
    shape.variables = 2;
    const Automata automata =
        i % 2 == 0 ? beside_toggler(random, shape) : random_automata(random, shape);
    for (const Model& model : models) {
      ScopedModel scoped = random_scoped(random, models);  // nothing asks for the other two
      scoped.at(shape.launch->consulted().front()) = model.form;
      const Lts lts = *oracle::explore(behaviour_of(automata), scoped);
      if (lts.states.size() > 9) continue;
      const auto& form = std::get<oracle::SetForm>(model.form);
      const Verdicts expected = {passes_without_groups(lts, form, Fairness::weak),
                                 passes_without_groups(lts, form, Fairness::strong)};
      CAPTURE(model.name);
      CAPTURE(to_string(automata));
      CHECK(verdicts(lts) == expected);
      ++(expected.strong ? passing : failing);
      strong_alone += expected.strong && !expected.weak ? 1 : 0;
    }
  }
  CHECK(passing > 500);
  CHECK(failing > 1200);
  CHECK(strong_alone > 20);
}

TEST_CASE("oracle/random_scopes: the same at every level is the flat model, or promises more") {
  Random random(44);
  const auto every_level = [](const std::string& name) { return built_in(name, name, name); };
  int passing = 0, failing = 0;
  for (int i = 0; i < testing::budget(220); ++i) {
    const Automata automata = random_launch(random, i);
    Automata flat = automata;
    flat.launch = Launch(automata.launch->threads());
    if (!automata.barriers.empty()) continue;  // another launch has other barriers
    CAPTURE(to_string(automata));
    for (const Model& model : oracle::set_models()) {
      const auto levels = verdicts_of(automata, every_level(model.name));
      const auto threads = verdicts_of(flat, model);
      if (!levels || !threads) continue;
      CAPTURE(model.name);
      if (model.name == "unfair" || model.name == "HSA" || model.name == "fair") {
        CHECK(*levels == *threads);
        ++(levels->strong ? passing : failing);
      } else if (model.name == "OBE") {
        CHECK((levels->weak || !threads->weak));
        CHECK((levels->strong || !threads->strong));
      }
    }
  }
  CHECK(passing > 80);
  CHECK(failing > 80);
}

TEST_CASE("oracle/random_scopes: models by events are those by sets") {
  Random random(45);
  const std::vector<Model> sets = oracle::set_models(), events = oracle::event_models();
  int compared = 0, differing = 0;
  for (int i = 0; i < testing::budget(220); ++i) {
    const bool waits = i % 2 == 0;
    const Automata automata = random_launch(random, i, {.states = 2, .waiting = waits});
    for (int m = 0; m < 4; ++m) {
      ScopedModel by_sets = random_scoped(random, sets), by_events = by_sets;
      for (const Level level : automata.launch->consulted()) {
        const auto place = static_cast<std::size_t>(below(random, static_cast<int>(sets.size())));
        by_sets.at(level) = sets[place].form;
        by_events.at(level) = events[place].form;
        // Who is ready changes by the steps of others too.
        const bool is_outermost = level == automata.launch->consulted().front();
        const bool asks_who_is_ready = sets[place].name == "HSA" || sets[place].name == "HSA+OBE";
        if (waits && !is_outermost && asks_who_is_ready) by_events.at(level) = sets[place].form;
      }
      const auto first = verdicts_of(automata, by_sets), second = verdicts_of(automata, by_events);
      if (!first || !second) continue;
      CAPTURE(to_string(automata));
      CHECK(*first == *second);
      ++compared;
      differing += first->weak != first->strong ? 1 : 0;
    }
  }
  CHECK(compared > 600);
  CHECK(differing > 5);
}

}  // namespace headway::random_scopes_test
