// The oracle on launches whose groups hold several threads: its three deciders against each other;
// what docs/semantics.md says of all programs and launches; and small programs whose verdicts can
// be seen, those of its "facts to check against" among them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "oracle/oracle.hpp"
#include "support/automata_by_hand.hpp"
#include "support/oracle_models.hpp"

namespace headway::scopes_test {
namespace {

using models::Fairness;
using oracle::Group;
using oracle::Groups;
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

// Random programs --------------------------------------------------------------------------------

TEST_CASE("oracle/scopes: components and all sets of states and of transitions agree") {
  Random random(41);
  const std::vector<Model> models = many_models();
  std::map<std::string, int> met;
  for (int i = 0; i < 1000; ++i) {
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
  CHECK(met["by states"] > 5000);
  CHECK(met["by transitions"] > 5000);
  CHECK(met["pass"] > 1000);
  CHECK(met["fail"] > 2000);
  CHECK(met["strong alone"] > 50);
  CHECK(met["fair choice"] > 1000);
  CHECK(met["other choice"] > 100);
  CHECK(met["stuck"] > 50);
  CHECK(met["wrong"] > 10);
}

TEST_CASE("oracle/scopes: weak pass implies strong pass, a stronger level only fail into pass") {
  Random random(42);
  const std::vector<testing::Strengthening> steps = testing::strengthenings();
  std::vector<Model> models = oracle::set_models();
  for (const int seed : {1, 2, 3}) models.push_back(testing::arbitrary_model({seed}));
  std::map<std::string, int> met;
  for (int i = 0; i < 600; ++i) {
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
  CHECK(met["compared"] > 2000);
  CHECK(met["gained"] > 100);
  CHECK(met["gained strongly"] > 100);
  CHECK(met["strong alone"] > 15);
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

TEST_CASE("oracle/scopes: a launch with children at one level is flat") {
  Random random(43);
  const std::vector<Launch> flat = {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {3, 1, 1}, {1, 1, 3}};
  std::vector<Model> models = oracle::set_models();
  for (const int seed : {1, 2, 3}) models.push_back(testing::arbitrary_model({seed}));
  int passing = 0, failing = 0, strong_alone = 0;
  for (int i = 0; i < 3000; ++i) {
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
  CHECK(passing > 2000);
  CHECK(failing > 5000);
  CHECK(strong_alone > 100);
}

TEST_CASE("oracle/scopes: the same at every level is the flat model, or promises more") {
  Random random(44);
  const auto every_level = [](const std::string& name) { return built_in(name, name, name); };
  int passing = 0, failing = 0;
  for (int i = 0; i < 700; ++i) {
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
  CHECK(passing > 300);
  CHECK(failing > 300);
}

TEST_CASE("oracle/scopes: models by events are those by sets") {
  Random random(45);
  const std::vector<Model> sets = oracle::set_models(), events = oracle::event_models();
  int compared = 0, differing = 0;
  for (int i = 0; i < 700; ++i) {
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
  CHECK(compared > 2000);
  CHECK(differing > 20);
}

// Groups -----------------------------------------------------------------------------------------

TEST_CASE("oracle/scopes: groups are paths through the levels at which there are several") {
  const Launch launch(2, 3, 2);
  CHECK(launch.threads() == 12);
  CHECK(oracle::group_of_thread(launch, 0) == Group{0, 0, 0});
  CHECK(oracle::group_of_thread(launch, 3) == Group{0, 1, 1});
  CHECK(oracle::group_of_thread(launch, 10) == Group{1, 2, 0});
  CHECK(oracle::all_groups(launch).size() == 1 + 2 + 6 + 12);
  CHECK(oracle::holds({1, 2}, launch, 10));
  CHECK(oracle::holds({}, launch, 10));
  CHECK_FALSE(oracle::holds({0, 2}, launch, 10));
  CHECK(oracle::all_groups({2, 1, 2}) == Groups{{}, {0}, {0, 0}, {0, 1}, {1}, {1, 0}, {1, 1}});
  CHECK(oracle::all_groups({1, 1, 2}) == Groups{{}, {0}, {1}});
  CHECK(oracle::all_groups(1) == Groups{{}});
}

namespace {

// The state after these threads have taken their first transitions.
const State& state_after_steps(const Lts& lts, const std::vector<int>& threads) {
  int state = 0;
  for (const int thread : threads) {
    const auto step = std::find_if(
        lts.transitions.begin(), lts.transitions.end(),
        [&](const oracle::Transition& t) { return t.from == state && t.thread == thread; });
    REQUIRE(step != lts.transitions.end());
    state = step->to;
  }
  return lts.states[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE("oracle/scopes: a child is guaranteed where its parent is and the model selects it") {
  // Thread 2 waits until thread 3 has taken a step.
  const LocalStates steps = {look(1), look(2), kEnd};
  const LocalStates waits = {await(0, 1, 1), kEnd};
  const LocalStates wakes = {store(0, 1, 1), look(2), kEnd};
  const Automata automata = launched({2, 1, 2}, program(1, {steps, steps, waits, wakes}));
  const Lts lts = *oracle::explore(behaviour_of(automata), built_in("OBE", "unfair", "HSA"));
  const auto groups_after = [&](const std::vector<int>& threads) {
    const State& state = state_after_steps(lts, threads);
    CHECK(state.owed == state.guaranteed);
    return state.guaranteed;
  };
  CHECK(groups_after({}) == Groups{{}});
  CHECK(groups_after({1}) == Groups{{}, {0}, {0, 0}});
  CHECK(groups_after({1, 1}) == Groups{{}, {0}, {0, 0}});
  CHECK(groups_after({0, 0}) == Groups{{}, {0}, {0, 1}});
  CHECK(groups_after({3}) == Groups{{}, {1}, {1, 0}});
  CHECK(groups_after({3, 2, 1}) == Groups{{}, {0}, {0, 0}, {1}, {1, 1}});
  // Obligations leave out who is not ready.
  const Lts fair = *oracle::explore(behaviour_of(automata), built_in("fair", "fair", "fair"));
  const Groups& guaranteed = fair.states.front().guaranteed;
  CHECK(guaranteed == oracle::all_groups({2, 1, 2}));
  Groups owed = guaranteed;
  owed.erase({1, 0});
  CHECK(fair.states.front().owed == owed);
}

TEST_CASE("oracle/scopes: a model by events has an F for each group") {
  const LocalStates steps = {look(1), look(2), kEnd};
  const Automata automata = launched({2, 1, 2}, program(1, {steps, steps, steps, steps}));
  const auto none = [](const oracle::History&) { return Threads{}; };
  const auto keep = [](const Threads& f, int, const oracle::History&) { return f; };
  ScopedModel model;
  // Guarantees the other workgroup when one has ended, and every thread that has taken a step.
  model.workgroup = oracle::EventForm{
      none, keep, [](const Threads&, int, const oracle::History& h) { return h.alive(); }};
  model.thread = oracle::event_models()[2].form;
  const Lts lts = *oracle::explore(behaviour_of(automata), model);
  using Selected = std::map<Group, Threads>;
  const auto selected_after = [&](const std::vector<int>& threads) {
    return state_after_steps(lts, threads).selected;
  };
  CHECK(selected_after({}) == Selected{{{}, {}}, {{0}, {}}, {{1}, {}}});
  CHECK(selected_after({1}) == Selected{{{}, {}}, {{0}, {1}}, {{1}, {}}});
  CHECK(selected_after({1, 2}) == Selected{{{}, {}}, {{0}, {1}}, {{1}, {0}}});
  CHECK(selected_after({2, 2, 3}) == Selected{{{}, {}}, {{0}, {}}, {{1}, {1}}});
  CHECK(selected_after({2, 2, 3, 3}) == Selected{{{}, {0}}, {{0}, {}}, {{1}, {}}});
  CHECK(selected_after({2, 2, 3, 3, 0}) == Selected{{{}, {0}}, {{0}, {0}}, {{1}, {}}});
}

TEST_CASE("oracle/scopes: a level of one child is not asked") {
  const LocalStates spins = {spin(0, 0, 1, 1), kEnd};
  const LocalStates stores = {store(0, 1, 1), kEnd};
  const Automata both = program(1, {spins, stores});
  CHECK(passed(both) == "fair");
  CHECK(passed(launched({2, 1, 1}, both)) == "fair");
  // One workgroup, and inside of it all is fair.
  CHECK(passed(launched({1, 1, 2}, both)) == kAllModels);
  CHECK(passed(launched({1, 2, 1}, both)) == kAllModels);
}

// Facts to check against -------------------------------------------------------------------------

namespace {

const testing::Barrier kOfWorkgroup = {Level::workgroup, false};

std::string passed_by(const Automata& automata, const std::vector<std::string>& workgroup_models,
                      const std::string& thread) {
  std::vector<ScopedModel> models;
  for (const std::string& workgroup : workgroup_models) {
    models.push_back(built_in(workgroup, "fair", thread));
    models.back().name = workgroup;
  }
  return passed(automata, models);
}

const std::vector<std::string> kNames = {"unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"};

}  // namespace

TEST_CASE("oracle/scopes: a flag between workgroups by their ids") {
  const LocalStates idle = {barrier(0, 1), kEnd};
  const LocalStates raises = {barrier(0, 1), store(0, 1, 2), kEnd};
  const LocalStates waits = {barrier(0, 1), spin(1, 0, 1, 2), kEnd};
  Automata by_id = launched({2, 1, 2}, program(1, {raises, idle, waits, idle}));
  by_id.barriers = {kOfWorkgroup};
  CHECK(passed_by(by_id, kNames, "fair") == "HSA HSA+OBE LOBE fair");
  CHECK(passed_by(by_id, kNames, "unfair") == "HSA HSA+OBE LOBE fair");
  // The other way round, none but fair helps who waits.
  Automata reversed = launched({2, 1, 2}, program(1, {waits, idle, raises, idle}));
  reversed.barriers = {kOfWorkgroup};
  CHECK(passed_by(reversed, kNames, "fair") == "fair");
}

TEST_CASE("oracle/scopes: a flag between workgroups by ids that they draw") {
  const LocalStates idle = {barrier(0, 1), kEnd};
  const LocalStates draws = {modify(1, {{1, 1}, {2, 3}, {kKeep, 5}}),
                             barrier(0, 2),
                             store(0, 1, 5),
                             barrier(0, 4),
                             spin(4, 0, 1, 5),
                             kEnd};
  Automata drawn = launched({2, 1, 2}, program(2, {draws, idle, draws, idle}));
  drawn.barriers = {kOfWorkgroup};
  CHECK(passed_by(drawn, kNames, "fair") == "OBE HSA+OBE LOBE fair");
  CHECK(passed_by(drawn, kNames, "unfair") == "OBE HSA+OBE LOBE fair");
}

TEST_CASE("oracle/scopes: a barrier that not all threads reach is stuck") {
  const LocalStates reaches = {look(1), barrier(0, 2), kEnd};
  const LocalStates ends = {look(1), kEnd};
  Automata alone = launched({1, 1, 2}, program(1, {reaches, ends}));
  alone.barriers = {kOfWorkgroup};
  CHECK(passed(alone).empty());
  CHECK(oracle::gets_stuck(*oracle::explore(behaviour_of(alone), built_in("fair"))));
  Automata one_each = launched({2, 1, 1}, alone);
  CHECK(passed(one_each) == kAllModels);
  one_each.barriers[0].level.reset();  // of the grid
  CHECK(passed(one_each).empty());
  alone.barriers[0].counts_ended = true;
  CHECK(passed(alone) == kAllModels);
  one_each.barriers[0].counts_ended = true;
  CHECK(passed(one_each) == kAllModels);
}

TEST_CASE("oracle/scopes: threads that wait at two different barriers are stuck") {
  const LocalStates first = {barrier(0, 1), kEnd}, second = {barrier(1, 1), kEnd};
  Automata apart = launched({1, 1, 2}, program(1, {first, second}));
  apart.barriers = {kOfWorkgroup, kOfWorkgroup};
  CHECK(passed(apart).empty());
  Automata together = launched({1, 1, 2}, program(1, {first, first}));
  together.barriers = {kOfWorkgroup};
  CHECK(passed(together) == kAllModels);
  // To arrive and to pass is a step each, and all arrive before any passes.
  const Lts lts = *oracle::explore(behaviour_of(together), built_in("fair"));
  CHECK(lts.states.size() == 4 + 3);
  CHECK(lts.transitions.size() == 4 + 4);
}

TEST_CASE("oracle/scopes: a grid barrier passes when it waits and needs fair when it spins") {
  const LocalStates waits = {barrier(0, 1), kEnd};
  Automata waiting = launched({2, 1, 2}, program(1, {waits, waits, waits, waits}));
  waiting.barriers = {testing::Barrier{}};
  CHECK(passed_by(waiting, kNames, "fair") == kAllModels);
  CHECK(passed_by(waiting, kNames, "unfair") == kAllModels);
  // Thread 0 of each workgroup counts itself, and looks until it counts two.
  const LocalStates counts = {modify(0, {{1, 1}, {2, 1}, {kKeep, 1}}), spin(1, 0, 2, 2), kEnd};
  const LocalStates idle = {look(1), kEnd};
  const Automata spinning = launched({2, 1, 2}, program(1, {counts, idle, counts, idle}));
  CHECK(passed_by(spinning, kNames, "fair") == "fair");
  // All that a workgroup can do for ever is to spin there.
  CHECK(passed_by(spinning, kNames, "unfair") == "fair");
}

TEST_CASE("oracle/scopes: nothing is inherited below a level that promises nothing") {
  LocalStates stores[2], waits[2];
  for (int s = 0; s < 2; ++s) {
    stores[s] = {store(s, 1, 1), kEnd};
    waits[s] = {spin(0, s, 1, 1), kEnd};
  }
  const Automata pairs =
      launched({1, 2, 2}, program(2, {stores[0], waits[0], stores[1], waits[1]}));
  const auto passes = [&](const std::string& subgroup, const std::string& thread) {
    return !passed(pairs, {built_in("fair", subgroup, thread)}).empty();
  };
  CHECK_FALSE(passes("unfair", "fair"));
  CHECK(passes("fair", "fair"));
  CHECK(passes("fair", "HSA"));
  CHECK(passes("OBE", "fair"));
  CHECK_FALSE(passes("fair", "unfair"));  // which owes a step of some thread, and that may spin
}

TEST_CASE("oracle/scopes: a started group owes a step of some thread") {
  // When thread 0 has ended, thread 2 spins until thread 1 has taken its step. OBE of threads owes
  // thread 1 nothing, which has not started. Its workgroup has.
  const LocalStates first = {store(1, 1, 1), kEnd};
  const LocalStates stores = {store(0, 1, 1), kEnd};
  const LocalStates after = {await(1, 1, 1), spin(1, 0, 1, 2), kEnd};
  const LocalStates nothing = {await(0, 1, 1), kEnd};
  const Automata automata = launched({2, 1, 2}, program(2, {first, stores, after, nothing}));
  CHECK(passed(automata, {built_in("OBE", "OBE", "OBE")}) == built_in("OBE", "OBE", "OBE").name);
  Automata flat = automata;
  flat.launch.reset();
  CHECK(passed(flat, {built_in("OBE")}).empty());
}

TEST_CASE("oracle/scopes: a subgroup in lockstep is a leaf") {
  // A producer and a consumer in one subgroup. As the sides of a branch either one may run first;
  // the consumer's loop then never lets the other side run.
  const Automata sides = program(1, {{choose({{kKeep, 1}, {kKeep, 3}}), store(0, 1, 2),
                                      spin(2, 0, 1, 4), spin(3, 0, 1, 5), kEnd, store(0, 1, 4)}});
  CHECK(passed(sides).empty());
  const Automata one_by_one = program(1, {{store(0, 1, 1), spin(1, 0, 1, 2), kEnd}});
  CHECK(passed(one_by_one) == kAllModels);
  // A barrier on one side waits for the other threads, which are inactive until it is passed.
  CHECK(passed(program(1, {{await(0, 1, 1), store(0, 1, 2), kEnd}})).empty());
}

// Fair choices -----------------------------------------------------------------------------------

TEST_CASE("oracle/scopes: a weak exchange that fails fairly is as good as a strong one") {
  const Automata retries = program(1, {{choose({{kKeep, 0}, {kKeep, 1}}), kEnd}});
  CHECK(passed(retries).empty());
  const Automata fairly = program(1, {{choose_fairly({{kKeep, 0}, {kKeep, 1}}), kEnd}});
  CHECK(passed(fairly) == kAllModels);
  // A spin lock, the exchange of which succeeds whenever it can, now and then, or fairly.
  const auto lock = [](const std::vector<testing::LocalState>& before) {
    const int first = static_cast<int>(before.size());
    LocalStates result = before;
    result.push_back(modify(0, {{1, first + 1}, {kKeep, 0}, {kKeep, 0}}));
    result.push_back(store(0, 0, first + 2));
    result.push_back(kEnd);
    return program(1, {result, result});
  };
  const std::vector<testing::Outcome> fails_or_not = {{kKeep, 0}, {kKeep, 1}};
  CHECK(passed(lock({})) == "OBE HSA+OBE LOBE fair");
  CHECK(passed(lock({choose(fails_or_not)})).empty());
  CHECK(passed(lock({choose_fairly(fails_or_not)})) == "OBE HSA+OBE LOBE fair");
}

TEST_CASE("oracle/scopes: a fair choice promises no step, and nothing where it is not made") {
  // Thread 1 may spin for ever beside a choice that nobody has to make.
  const Automata beside =
      program(1, {{choose_fairly({{kKeep, 0}, {1, 1}}), kEnd}, {spin(0, 0, 1, 1), kEnd}});
  CHECK(passed(beside) == "HSA HSA+OBE LOBE fair");
  // A choice that others let come up in each of two states takes each alternative in both.
  const LocalStates chooser = {choose_fairly({{kKeep, 0}, {kKeep, 1}}),
                               modify(0, {{kKeep, 0}, {2, 2}, {kKeep, 2}}), kEnd};
  const Automata apart = program(1, {chooser, testing::toggler()});
  CHECK(passed(apart) == "fair*");
  const LocalStates unfairly = {choose({{kKeep, 0}, {kKeep, 1}}), chooser[1], kEnd};
  CHECK(passed(program(1, {unfairly, testing::toggler()})).empty());
}

}  // namespace headway::scopes_test
