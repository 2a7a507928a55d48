// The oracle on launches whose groups hold several threads: groups and guarantees, and small
// programs whose verdicts can be seen, those of the "facts to check against" of
// docs/reference/semantics.md among them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "oracle/oracle.hpp"
#include "support/automata_by_hand.hpp"
#include "support/oracle_models.hpp"

namespace headway::scopes_test {
namespace {

using oracle::Group;
using oracle::Groups;
using oracle::Launch;
using oracle::Level;
using oracle::Lts;
using oracle::ScopedModel;
using oracle::State;
using oracle::Threads;
using testing::Automata;
using testing::behaviour_of;
using testing::built_in;
using testing::kKeep;
using testing::LocalStates;
using namespace testing::by_hand;

}  // namespace

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
