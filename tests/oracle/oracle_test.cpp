// The oracle itself on flat launches: its three deciders against each other on random programs
// whose threads wait, choose, end and fail; what docs/reference/semantics.md says of all programs;
// and small programs whose verdicts can be seen. scopes_test.cpp and random_scopes_test.cpp have
// those of other launches.
#include "oracle/oracle.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "base/bits/hash.hpp"
#include "support/automata_by_hand.hpp"
#include "support/oracle_models.hpp"

namespace headway::oracle_test {
namespace {

using models::Fairness;
using oracle::Lts;
using oracle::Model;
using oracle::State;
using oracle::Threads;
using testing::arbitrary_model;
using testing::Automata;
using testing::AutomataShape;
using testing::behaviour_of;
using testing::below;
using testing::beside_toggler;
using testing::both_forms;
using testing::kKeep;
using testing::LocalState;
using testing::LocalStates;
using testing::Random;
using testing::toggler;
using Kind = LocalState::Kind;
using namespace testing::by_hand;

// The threads among the groups.
Threads threads_in(const oracle::Groups& groups, const Lts& lts) {
  Threads result;
  for (int t = 0; t < lts.launch.threads(); ++t) {
    if (groups.count(oracle::group_of_thread(lts.launch, t)) > 0) result.insert(t);
  }
  return result;
}

// F and the obligations of a flat launch.
Threads fair_threads(const Lts& lts, const State& state) {
  return threads_in(state.guaranteed, lts);
}
Threads owed_threads(const Lts& lts, const State& state) { return threads_in(state.owed, lts); }

// What a comparison has met.
struct Met {
  int stuck = 0, wrong = 0;
  int waiting = 0;   // somewhere a thread runs and another one is blocked
  int choosing = 0;  // somewhere a running thread has several transitions
  int given_up = 0;  // somewhere a thread of F is blocked
};

bool chooses(const Lts& lts) {
  return std::any_of(lts.transitions.begin(), lts.transitions.end(),
                     [](const oracle::Transition& t) { return t.choice > 0; });
}

void count(const Lts& lts, Met& met) {
  const auto any = [&](const auto& holds) {
    return std::any_of(lts.states.begin(), lts.states.end(), holds) ? 1 : 0;
  };
  met.stuck += oracle::gets_stuck(lts) ? 1 : 0;
  met.wrong += oracle::goes_wrong(lts) ? 1 : 0;
  met.waiting += any([](const State& s) { return !s.running.empty() && !s.blocked.empty(); });
  met.given_up += any(
      [&](const State& s) { return !oracle::intersect(fair_threads(lts, s), s.blocked).empty(); });
  met.choosing += chooses(lts) ? 1 : 0;
}

}  // namespace

// Random programs --------------------------------------------------------------------------------

TEST_CASE("oracle/oracle: components and all sets of states and of transitions agree") {
  Random random(1);
  const std::vector<Model> models = both_forms();
  Met met;
  int by_states = 0, by_transitions = 0, failing = 0, passing = 0, strong_alone = 0,
      strong_with_choices = 0;
  for (int i = 0; i < 6000; ++i) {
    AutomataShape shape;
    shape.threads = i % 8 == 0 ? 3 : 2;
    shape.states = shape.threads == 3 ? 1 : 1 + below(random, 3);
    shape.variables = 2;
    shape.failures = i % 5 == 0;
    const Automata automata =
        i % 2 == 1 ? beside_toggler(random, shape) : random_automata(random, shape);
    for (const Model& model : models) {
      const auto lts = oracle::explore(behaviour_of(automata), model, 100);
      if (!lts) continue;
      const bool few_states = lts->states.size() <= 10;
      const bool few_transitions = lts->transitions.size() <= 10;
      if (!few_states && !few_transitions) continue;
      count(*lts, met);
      const bool weak = oracle::passes(*lts, Fairness::weak);
      const bool strong = oracle::passes(*lts, Fairness::strong);
      strong_alone += strong && !weak ? 1 : 0;
      strong_with_choices += strong && !weak && chooses(*lts) ? 1 : 0;
      for (const Fairness fairness : models::kFairnesses) {
        const bool expected = fairness == Fairness::weak ? weak : strong;
        if (!oracle::gets_stuck(*lts)) ++(expected ? passing : failing);
        CAPTURE(model.name);
        CAPTURE(to_string(fairness));
        CAPTURE(to_string(automata));
        if (few_states) {
          ++by_states;
          if (oracle::passes_by_state_sets(*lts, fairness) != expected) FAIL_CHECK("states");
        }
        if (few_transitions) {
          ++by_transitions;
          if (oracle::passes_by_transition_sets(*lts, fairness) != expected) {
            FAIL_CHECK("transitions");
          }
        }
      }
    }
  }
  CHECK(by_states > 80'000);
  CHECK(by_transitions > 50'000);
  CHECK(failing > 20'000);
  CHECK(passing > 10'000);
  CHECK(strong_alone > 500);
  CHECK(strong_with_choices > 500);
  CHECK(met.stuck > 5000);
  CHECK(met.wrong > 500);
  CHECK(met.waiting > 10'000);
  CHECK(met.choosing > 10'000);
  CHECK(met.given_up > 5000);
}

TEST_CASE("oracle/oracle: transitions are those of the running threads, and none after a failure") {
  Random random(2);
  Met met;
  for (int i = 0; i < 1000; ++i) {
    AutomataShape shape;
    shape.threads = 2 + i % 2;
    shape.failures = i % 2 == 0;
    const Automata automata = random_automata(random, shape);
    const Lts lts = *oracle::explore(behaviour_of(automata), oracle::set_models()[i % 6]);
    count(lts, met);
    std::vector<std::map<int, std::size_t>> found(lts.states.size());  // transitions by thread
    bool wrong = false, stuck = false;
    for (const oracle::Transition& t : lts.transitions) ++found[t.from][t.thread];
    for (std::size_t s = 0; s < lts.states.size(); ++s) {
      const State& state = lts.states[s];
      std::map<int, std::size_t> expected;
      bool failed = false;
      Threads blocked, ended;
      for (int t = 0; t < lts.launch.threads(); ++t) {
        const LocalState& local = automata.threads[t][state.pcs[t]];
        failed = failed || local.kind == Kind::fail;
        if (local.kind == Kind::end) ended.insert(t);
        if (local.kind == Kind::modify) expected[t] = 1;
        if (local.kind == Kind::choose) expected[t] = local.outcomes.size();
        if (local.kind != Kind::await) continue;
        if (local.accepts[state.memory[local.variable]]) {
          expected[t] = 1;
        } else {
          blocked.insert(t);
        }
      }
      if (failed) expected.clear();
      CAPTURE(to_string(automata));
      CHECK(found[s] == expected);
      CHECK(state.failed.empty() == !failed);
      CHECK(state.blocked == blocked);
      CHECK(state.history.terminated == ended);
      Threads running;
      for (const auto& [t, transitions] : expected) running.insert(t);
      CHECK(state.running == running);
      CHECK(owed_threads(lts, state) == oracle::intersect(fair_threads(lts, state), running));
      wrong = wrong || failed;
      stuck = stuck || (running.empty() && !blocked.empty() && !failed);
    }
    CHECK(oracle::goes_wrong(lts) == wrong);
    CHECK(oracle::gets_stuck(lts) == stuck);
  }
  CHECK(met.stuck > 100);
  CHECK(met.wrong > 30);
  CHECK(met.waiting > 100);
  CHECK(met.choosing > 100);
}

TEST_CASE("oracle/oracle: weak pass implies strong pass and a larger F turns only fail into pass") {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"unfair", "HSA"}, {"unfair", "OBE"}, {"HSA", "HSA+OBE"},  {"OBE", "HSA+OBE"},
      {"OBE", "LOBE"},   {"HSA", "LOBE"},   {"HSA+OBE", "LOBE"}, {"LOBE", "fair"}};
  std::vector<Model> models = both_forms();
  std::vector<std::pair<std::size_t, std::size_t>> ordered;
  const auto place = [&](const std::string& name) {
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const Model& model) { return model.name == name; });
    return static_cast<std::size_t>(found - models.begin());
  };
  for (const auto& [less, more] : names) ordered.emplace_back(place(less), place(more));
  for (const int seed : {1, 2, 3}) {
    models.push_back(arbitrary_model({seed}));
    models.push_back(arbitrary_model({seed, seed + 10}));
    ordered.emplace_back(models.size() - 2, models.size() - 1);
    ordered.emplace_back(models.size() - 1, place("fair"));
  }
  Random random(3);
  Met met;
  int passing = 0, failing = 0, strong_alone = 0, gained = 0;
  for (int i = 0; i < 1500; ++i) {
    AutomataShape shape;
    shape.threads = 2 + i % 2;
    shape.variables = 2;
    shape.values = 3;
    const Automata automata =
        i % 2 == 1 ? beside_toggler(random, shape) : random_automata(random, shape);
    CAPTURE(to_string(automata));
    std::map<Fairness, std::vector<bool>> passes;
    for (const Model& model : models) {
      const Lts lts = *oracle::explore(behaviour_of(automata), model);
      if (model.name == "fair") count(lts, met);
      const bool weak = oracle::passes(lts, Fairness::weak);
      const bool strong = oracle::passes(lts, Fairness::strong);
      passes[Fairness::weak].push_back(weak);
      passes[Fairness::strong].push_back(strong);
      strong_alone += strong && !weak ? 1 : 0;
      CAPTURE(model.name);
      CHECK((strong || !weak));
      if (model.name == "unfair") CHECK(strong == weak);
      if (oracle::gets_stuck(lts)) CHECK_FALSE(strong);
      if (!oracle::gets_stuck(lts)) ++(weak ? passing : failing);
    }
    for (const auto& [fairness, of_model] : passes) {
      for (std::size_t m = 0; m < 6; ++m) CHECK(of_model[m] == of_model[m + 6]);  // in both forms
      for (const auto& pair : ordered) {
        const auto& less = pair.first;
        const auto& more = pair.second;
        CAPTURE(models[less].name);
        CAPTURE(models[more].name);
        CHECK((of_model[more] || !of_model[less]));
        gained += of_model[more] && !of_model[less] ? 1 : 0;
      }
    }
  }
  CHECK(met.stuck > 100);
  CHECK(met.waiting > 100);
  CHECK(met.choosing > 100);
  CHECK(passing > 1000);
  CHECK(failing > 1000);
  CHECK(strong_alone > 10);
  CHECK(gained > 30);
}

// The definitions for programs without awaits and choices, tried on all sets of states: F instead
// of obligations, and strong fairness of transitions.
namespace {

bool passes_in_the_paper(const Lts& lts, Fairness fairness) {
  for (unsigned long set = 1; set < 1UL << lts.states.size(); ++set) {
    const auto contains = [&](int state) { return (set >> state & 1) != 0; };
    Threads stepping, leaving;
    for (const oracle::Transition& t : lts.transitions) {
      if (!contains(t.from)) continue;
      if (contains(t.to)) stepping.insert(t.thread);
      if (!contains(t.to) && fair_threads(lts, lts.states[t.from]).count(t.thread) > 0)
        leaving.insert(t.thread);
    }
    const auto reach = [&](int start) {
      unsigned long reached = 0;
      for (unsigned long before = 1; before != reached;) {
        before = reached;
        for (const oracle::Transition& t : lts.transitions) {
          const bool is_next = t.from == start || (reached >> t.from & 1) != 0;
          if (is_next && contains(t.from) && contains(t.to)) reached |= 1UL << t.to;
        }
      }
      return reached;
    };
    bool connected = true;
    Threads always;
    for (int t = 0; t < lts.launch.threads(); ++t) always.insert(t);
    for (int s = 0; s < static_cast<int>(lts.states.size()) && connected; ++s) {
      if (!contains(s)) continue;
      connected = reach(s) == set;
      always = oracle::intersect(always, fair_threads(lts, lts.states[s]));
    }
    const bool fair =
        fairness == Fairness::weak ? oracle::without(always, stepping).empty() : leaving.empty();
    if (connected && fair) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("oracle/oracle: without waiting and choosing the verdicts are those of the paper") {
  Random random(4);
  std::vector<Model> models = both_forms();
  for (const int seed : {1, 2, 3}) models.push_back(arbitrary_model({seed}));
  int passing = 0, failing = 0, strong_alone = 0;
  for (int i = 0; i < 1500; ++i) {
    AutomataShape shape;
    shape.states = 1 + i % 3;
    shape.awaits = shape.choices = false;
    const Automata automata =
        i % 2 == 0 ? beside_toggler(random, shape) : random_automata(random, shape);
    for (const Model& model : models) {
      const Lts lts = *oracle::explore(behaviour_of(automata), model);
      CHECK_FALSE(oracle::gets_stuck(lts));
      if (lts.states.size() > 9) continue;
      const bool weak = oracle::passes(lts, Fairness::weak);
      const bool strong = oracle::passes(lts, Fairness::strong);
      ++(strong ? passing : failing);
      strong_alone += strong && !weak ? 1 : 0;
      CAPTURE(model.name);
      CAPTURE(to_string(automata));
      CHECK(weak == passes_in_the_paper(lts, Fairness::weak));
      CHECK(strong == passes_in_the_paper(lts, Fairness::strong));
    }
  }
  CHECK(passing > 2000);
  CHECK(failing > 2000);
  CHECK(strong_alone > 30);
}

// Waiting ----------------------------------------------------------------------------------------

TEST_CASE("oracle/oracle: an await that never holds is stuck under every model") {
  const Automata alone = program(1, {{await(0, 1, 1), kEnd}});
  CHECK(passed(alone).empty());
  for (const Model& model : both_forms()) {
    const Lts lts = *oracle::explore(behaviour_of(alone), model);
    CHECK(oracle::gets_stuck(lts));
    CHECK(lts.transitions.empty());
  }
  // Also where the other thread ends.
  CHECK(passed(program(1, {{await(0, 1, 1), kEnd}, {store(0, 2, 1), kEnd}})).empty());
  CHECK(passed(program(1, {{await(0, 1, 1), kEnd}, {store(0, 1, 1), kEnd}})) == kAllModels);
}

TEST_CASE("oracle/oracle: a handshake passes unfair when it waits and fails when it spins") {
  const LocalStates second = {await(0, 1, 1), store(1, 1, 2), kEnd};
  CHECK(passed(program(2, {{store(0, 1, 1), await(1, 1, 2), kEnd}, second})) == kAllModels);
  const LocalStates spinning = {spin(0, 0, 1, 1), store(1, 1, 2), kEnd};
  CHECK(passed(program(2, {{store(0, 1, 1), spin(1, 1, 1, 2), kEnd}, spinning})) == "fair");
  // The one that spins keeps the other one from running, though that waits.
  CHECK(passed(program(2, {{store(0, 1, 1), spin(1, 1, 1, 2), kEnd}, second})) == "fair");
}

TEST_CASE("oracle/oracle: a blocked thread is owed nothing") {
  // Thread 0 waits for ever, and hands what HSA guarantees on to thread 1.
  const Automata idle = program(1, {{await(0, 1, 1), kEnd}, {spin(0, 0, 1, 1), kEnd}});
  for (const Model& model : oracle::set_models()) {
    const Lts lts = *oracle::explore(behaviour_of(idle), model);
    CHECK_FALSE(oracle::gets_stuck(lts));
    for (const State& state : lts.states) CHECK(owed_threads(lts, state).count(0) == 0);
    if (model.name == "HSA") CHECK(fair_threads(lts, lts.states.front()) == Threads{1});
    if (model.name != "fair") continue;
    CHECK(fair_threads(lts, lts.states.front()) == Threads{0, 1});
    CHECK(owed_threads(lts, lts.states.front()) == Threads{1});
  }
  CHECK(passed(idle).empty());
}

TEST_CASE("oracle/oracle: a thread that is blocked now and again is owed a step strongly") {
  const LocalStates waiter = {await(0, 1, 1), store(0, 2, 2), kEnd};
  CHECK(passed(program(1, {waiter, toggler()})) == "HSA* HSA+OBE* LOBE* fair*");
  CHECK(passed(program(1, {toggler(), waiter})) == "fair*");
}

// Choosing ---------------------------------------------------------------------------------------

TEST_CASE("oracle/oracle: no reading of fairness restricts a choice") {
  CHECK(passed(program(1, {{choose({{kKeep, 0}, {kKeep, 0}}), kEnd}})).empty());
  // To leave is a transition of a guaranteed thread, and need never be taken; fairness of
  // transitions would insist on it.
  const Automata hesitant = program(1, {{choose({{kKeep, 0}, {kKeep, 1}}), kEnd}});
  CHECK(passed(hesitant).empty());
  const Lts lts = *oracle::explore(behaviour_of(hesitant), oracle::set_models().back());
  CHECK(passes_in_the_paper(lts, Fairness::strong));
  CHECK(passed(program(1, {{choose({{kKeep, 1}, {kKeep, 1}}), kEnd}})) == kAllModels);
  // Every choice counts, also one that gets stuck.
  const LocalStates chooser = {choose({{kKeep, 1}, {kKeep, 2}}), await(0, 1, 2), kEnd};
  CHECK(passed(program(1, {chooser})).empty());
}

TEST_CASE("oracle/oracle: strong fairness takes some transition of a state and not each") {
  // Where thread 0 gets to it chooses how to stop both; which way is all the same.
  LocalStates watcher = {await(0, 1, 1), choose({{2, 2}, {2, 3}}), store(0, 2, 3), kEnd};
  CHECK(passed(program(1, {watcher, toggler()})) == "HSA* HSA+OBE* LOBE* fair*");
  // Or it may go back, again and again.
  watcher[1].outcomes[1] = {kKeep, 0};
  CHECK(passed(program(1, {watcher, toggler()})).empty());
}

// Failing ----------------------------------------------------------------------------------------

TEST_CASE("oracle/oracle: a failure is reported and ends the execution") {
  const Automata fails = program(1, {{store(0, 1, 1), kFail}, {spin(0, 0, 2, 1), kEnd}});
  for (const Model& model : both_forms()) {
    const Lts lts = *oracle::explore(behaviour_of(fails), model);
    CHECK(oracle::goes_wrong(lts));
    CHECK_FALSE(oracle::gets_stuck(lts));
    for (const oracle::Transition& t : lts.transitions) CHECK(lts.states[t.from].failed.empty());
  }
  const Automata waits = program(1, {{store(0, 1, 1), kFail}, {await(0, 2, 1), kEnd}});
  const Lts lts = *oracle::explore(behaviour_of(waits), oracle::set_models().back());
  CHECK(oracle::goes_wrong(lts));
  CHECK_FALSE(oracle::gets_stuck(lts));
}

}  // namespace headway::oracle_test
