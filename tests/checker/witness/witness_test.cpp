// Witnesses and broken cycles against a judge of its own: AXB run by hand on plain integers, F from
// the oracle's models, fairness read off its definition.
#include "checker/witness/witness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/file.hpp"
#include "checker/explain.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "oracle/oracle.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using checker::BrokenCycle;
using checker::Explanation;
using checker::Lasso;
using checker::Moment;
using checker::Verdict;
using lang::Test;
using models::Fairness;
using oracle::Threads;

namespace {

// Models that both sides know -------------------------------------------------------------------

struct Pair {
  models::ModelPtr fast;
  oracle::Model slow;
};

std::vector<Pair> all_pairs() {
  models::Library library;
  std::vector<Pair> pairs;
  for (const oracle::Model& model : oracle::set_models()) {
    pairs.push_back({library.named(model.name), model});
  }
  // The first to enter of at most two.
  const oracle::SetForm obe_2 = [](const oracle::History& h) {
    Threads inside = oracle::intersect(h.started, h.alive());
    for (int t : oracle::without(h.alive(), h.started)) {
      if (inside.size() < 2) inside.insert(t);
    }
    return inside;
  };
  pairs.push_back({library.named("OBE-k(k=2)"), {"OBE-k(k=2)", obe_2}});

  // F changes with every step, and so inside cycles.
  const testing::TemporaryFolder folder;
  const auto load = [&](const std::string& name, const std::string& initial,
                        const std::string& on_step) {
    const auto path =
        folder.write(name + ".yaml", "name: " + name + "\ninitial: " + initial +
                                         "\non_step: " + on_step + "\non_terminate: F - {tid}\n");
    return library.find(path.string());
  };
  const auto remove = [](const Threads& f, int tid, const oracle::History&) {
    return oracle::without(f, {tid});
  };
  const oracle::EventForm others = {[](const oracle::History& h) { return h.all(); },
                                    [](const Threads&, int tid, const oracle::History& h) {
                                      return oracle::without(h.alive(), {tid});
                                    },
                                    remove};
  pairs.push_back({load("others", "all", "alive - {tid}"), {"others", others}});
  const oracle::EventForm toggling = {[](const oracle::History&) { return Threads{}; },
                                      [](const Threads& f, int tid, const oracle::History&) {
                                        return f.count(tid) > 0 ? oracle::without(f, {tid})
                                                                : oracle::unite(f, {tid});
                                      },
                                      remove};
  pairs.push_back({load("toggling", "{}", "(F - {tid}) | ({tid} - F)"), {"toggling", toggling}});
  // Some threads are in F all along, and others now and then.
  const oracle::EventForm uneven = {[](const oracle::History&) { return Threads{}; },
                                    [](const Threads&, int tid, const oracle::History& h) {
                                      return oracle::intersect({2, tid + 3}, h.alive());
                                    },
                                    remove};
  pairs.push_back({load("uneven", "{}", "alive & {2, tid + 3}"), {"uneven", uneven}});
  // Who loops is no longer guaranteed, until it gets on.
  const oracle::EventForm patient = {
      [](const oracle::History& h) { return h.all(); },
      {},
      remove,
      [](const Threads& f, int tid, const oracle::History&, const oracle::Instruction& i) {
        return i.back ? oracle::without(f, {tid}) : oracle::unite(f, {tid});
      }};
  pairs.push_back(
      {load("patient", "all", "if loops then F - {tid} else F | {tid}"), {"patient", patient}});
  return pairs;
}

// The published tests, those of litmus/, and one with four threads.
const std::vector<Test>& all_tests() {
  static const std::vector<Test> tests = [] {
    std::vector<Test> result = testing::published_tests();
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(testing::source_dir() / "litmus")) {
      if (entry.path().extension() == ".litmus") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) result.push_back(lang::parse(read_file(path), path.string()));
    result.push_back(
        lang::parse("litmus four\nlocations m, n;\nthread 0 { while (Load(m) == 0); }\n"
                    "thread 1 { while (Load(m) == 0); }\nthread 2 { m = 1; }\n"
                    "thread 3 { n = 1; }\n",
                    "four"));
    return result;
  }();
  return tests;
}

// Calls `visit` with every test, model and fairness, and the explanation.
template <class Visit>
void for_each_explanation(const Visit& visit) {
  const std::vector<Pair> pairs = all_pairs();
  for (const Test& test : all_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const Pair& pair : pairs) {
      for (Fairness fairness : models::kFairnesses) {
        visit(test, program, pair, fairness, checker::explain(program, *pair.fast, fairness));
      }
    }
  }
}

std::string situation(const Test& test, const Pair& pair, Fairness fairness) {
  return test.name + " under " + pair.slow.name + ", " + to_string(fairness) + " fairness\n" +
         lang::print(test);
}

// AXB by hand -----------------------------------------------------------------------------------

struct Configuration {
  std::vector<int> pcs;
  std::vector<int> memory;
  oracle::History history;
  Threads fair;

  auto key() const { return std::tie(pcs, memory, history.started, history.terminated, fair); }
  friend bool operator==(const Configuration& a, const Configuration& b) {
    return a.key() == b.key();
  }
  friend bool operator<(const Configuration& a, const Configuration& b) {
    return a.key() < b.key();
  }
};

Threads initial_fair(const oracle::Model& model, const oracle::History& history) {
  if (const auto* form = std::get_if<oracle::SetForm>(&model.form)) return (*form)(history);
  return std::get<oracle::EventForm>(model.form).initial(history);
}

Configuration initial(const Test& test, const oracle::Model& model) {
  Configuration result;
  result.pcs.assign(test.thread_count(), 0);
  for (const lang::axb::Location& location : testing::axb_code(test).locations)
    result.memory.push_back(location.initial);
  result.history.threads = test.thread_count();
  result.fair = initial_fair(model, result.history);
  return result;
}

// `thread` must be alive. Without `track_started` the history forgets who has started.
Configuration step(const Test& test, const oracle::Model& model, const Configuration& from,
                   int thread, bool track_started = true) {
  Configuration to = from;
  const lang::axb::Thread& code = testing::axb_code(test).threads[thread];
  const lang::axb::Instruction& i = code.instructions[from.pcs[thread]];
  const int old = from.memory[i.location];
  if (i.exchanges) to.memory[i.location] = i.exchange_value;
  to.pcs[thread] = old == i.check_value ? i.jump : from.pcs[thread] + 1;
  const bool ends = to.pcs[thread] == code.length();
  if (track_started) to.history.started.insert(thread);
  if (const auto* form = std::get_if<oracle::SetForm>(&model.form)) {
    if (ends) to.history.terminated.insert(thread);
    to.fair = (*form)(to.history);
    return to;
  }
  const auto& form = std::get<oracle::EventForm>(model.form);
  const int pc = from.pcs[thread];
  to.fair = form.on_instruction ? form.on_instruction(to.fair, thread, to.history,
                                                      {i.exchanges, i.jump == pc + 1, i.jump <= pc})
                                : form.on_step(to.fair, thread, to.history);
  if (ends) {
    to.history.terminated.insert(thread);
    to.fair = form.on_terminate(to.fair, thread, to.history);
  }
  return to;
}

// The judge -------------------------------------------------------------------------------------

struct Judgement {
  bool infinite = false;  // there is such an execution
  bool closed = false;    // its second time round the cycle changes nothing
  bool fair = false;
};

std::vector<int> threads_of(const std::vector<lang::Step>& steps) {
  std::vector<int> threads;
  for (const lang::Step& step : steps) threads.push_back(step.thread);
  return threads;
}

// Follows the lasso until a round of its cycle begins where an earlier one did. What happens in
// between is what the execution does for ever.
Judgement judge(const Test& test, const oracle::Model& model, Fairness fairness,
                const Lasso& lasso) {
  Judgement result;
  Configuration now = initial(test, model);
  std::vector<Configuration> passed;  // before each step of the cycle
  std::vector<int> taken;
  const auto go = [&](int thread) {
    if (thread < 0 || thread >= test.thread_count()) return false;
    if (now.history.terminated.count(thread) > 0) return false;
    now = step(test, model, now, thread);
    return true;
  };
  for (const int thread : threads_of(lasso.stem)) {
    if (!go(thread)) return result;
  }
  if (lasso.cycle.empty()) return result;
  std::vector<Configuration> begins;
  auto earlier = begins.end();
  while (earlier == begins.end()) {
    begins.push_back(now);
    for (const int thread : threads_of(lasso.cycle)) {
      passed.push_back(now);
      taken.push_back(thread);
      if (!go(thread)) return result;
    }
    earlier = std::find(begins.begin(), begins.end(), now);
  }
  result.infinite = true;
  result.closed = earlier - begins.begin() <= 1 && begins.end() - earlier == 1;
  const auto first = static_cast<std::size_t>(earlier - begins.begin()) * lasso.cycle.size();

  result.fair = true;
  for (int thread = 0; thread < test.thread_count(); ++thread) {
    bool continuously = true, steps = false;
    for (std::size_t i = first; i < passed.size(); ++i) {
      continuously = continuously && passed[i].fair.count(thread) > 0;
      steps = steps || taken[i] == thread;
      if (fairness == Fairness::weak || passed[i].fair.count(thread) == 0) continue;
      bool is_taken = false;
      for (std::size_t j = first; j < passed.size(); ++j) {
        is_taken = is_taken || (taken[j] == thread && passed[j] == passed[i]);
      }
      result.fair = result.fair && is_taken;
    }
    if (fairness == Fairness::weak && continuously && !steps) result.fair = false;
  }
  return result;
}

// Whether the replay says what the judge says. Of an execution that comes back only after several
// rounds of its cycle the replay says no, and why.
struct Tally {
  int accepted = 0, rejected = 0, later = 0;
};

bool agrees(const Test& test, const lang::Program& program, const Pair& pair, Fairness fairness,
            const Lasso& lasso, Tally& tally) {
  const Judgement judgement = judge(test, pair.slow, fairness, lasso);
  const auto objection = checker::replay(program, *pair.fast, fairness, lasso).objection;
  ++(objection ? tally.rejected : tally.accepted);
  if (judgement.infinite && !judgement.closed) {
    ++tally.later;
    return objection == "the cycle does not end where it began";
  }
  return !objection.has_value() == (judgement.infinite && judgement.fair);
}

std::string text(const Lasso& lasso) {
  std::string result;
  for (const int thread : threads_of(lasso.stem)) result += std::to_string(thread) + " ";
  result += "(";
  for (const int thread : threads_of(lasso.cycle)) result += " " + std::to_string(thread);
  return result + " )";
}

// States ----------------------------------------------------------------------------------------

// All that can be reached, breadth first, with what is remembered of the history as the checker
// remembers it. Each state is kept as words of the program too, to find a Moment among them.
struct Space {
  std::vector<Configuration> states;
  std::vector<std::map<int, std::size_t>> next;
  std::vector<int> distance;
  std::vector<std::vector<bool>> reaches;  // in one step or more
  std::vector<std::vector<lang::Word>> words;

  Space(const Test& test, const lang::Program& program, const Pair& pair) {
    std::map<Configuration, std::size_t> numbers;
    const auto reach = [&](const Configuration& state, std::vector<lang::Word> word, int steps) {
      const auto [entry, is_new] = numbers.emplace(state, states.size());
      if (is_new) {
        states.push_back(state);
        words.push_back(std::move(word));
        distance.push_back(steps);
      }
      return entry->second;
    };
    std::vector<lang::Word> word(static_cast<std::size_t>(program.words()));
    program.initial(word.data());
    reach(initial(test, pair.slow), word, 0);
    for (std::size_t s = 0; s < states.size(); ++s) {
      next.emplace_back();
      for (int thread : states[s].history.alive()) {
        program.step(words[s].data(), thread, word.data());
        next[s][thread] =
            reach(step(test, pair.slow, states[s], thread, pair.fast->looks_at_started()), word,
                  distance[s] + 1);
      }
    }
    reaches = closure(std::vector<bool>(states.size(), true));
  }

  // Which states reach which through states of `kept` alone.
  std::vector<std::vector<bool>> closure(const std::vector<bool>& kept) const {
    const std::size_t size = states.size();
    std::vector<std::vector<bool>> result(size, std::vector<bool>(size));
    for (std::size_t s = 0; s < size; ++s) {
      std::vector<std::size_t> queue = {s};
      while (kept[s] && !queue.empty()) {
        const std::size_t here = queue.back();
        queue.pop_back();
        for (const auto& [thread, to] : next[here]) {
          if (!kept[to] || result[s][to]) continue;
          result[s][to] = true;
          queue.push_back(to);
        }
      }
    }
    return result;
  }

  // The state that `moment` is, states.size() when none.
  std::size_t find(const Moment& moment) const {
    const auto members = [](ThreadSet set) {
      Threads result;
      for (int t : set) result.insert(t);
      return result;
    };
    for (std::size_t s = 0; s < states.size(); ++s) {
      if (words[s] == moment.state && states[s].fair == members(moment.selected.threads) &&
          states[s].history.started == members(moment.history.started) &&
          states[s].history.terminated == members(moment.history.terminated)) {
        return s;
      }
    }
    return states.size();
  }
};

// The definition of weak fairness for a closed walk, given by its states and the threads.
bool weakly_fair(const Space& space, const std::vector<std::size_t>& states,
                 const std::vector<int>& taken, int threads) {
  for (int thread = 0; thread < threads; ++thread) {
    const bool steps = std::find(taken.begin(), taken.end(), thread) != taken.end();
    const bool absent = std::any_of(states.begin(), states.end(), [&](std::size_t s) {
      return space.states[s].fair.count(thread) == 0;
    });
    if (!steps && !absent) return false;
  }
  return true;
}

// The nearest state on a weakly fair closed walk of exactly `length` steps: its distance, or
// nothing. Tries every walk; `budget` counts the steps.
std::optional<int> nearest_fair_walk(const Space& space, int length, int threads, long& budget) {
  std::optional<int> nearest;
  std::vector<std::size_t> states;
  std::vector<int> taken;
  const std::function<void(std::size_t)> extend = [&](std::size_t here) {
    if (static_cast<int>(taken.size()) == length) {
      if (here != states.front() || !weakly_fair(space, states, taken, threads)) return;
      for (std::size_t s : states) {
        nearest = std::min(nearest.value_or(space.distance[s]), space.distance[s]);
      }
      return;
    }
    states.push_back(here);
    for (const auto& [thread, to] : space.next[here]) {
      if (--budget < 0) break;
      // What does not lead back need not be tried.
      if (to != states.front() && !space.reaches[to][states.front()]) continue;
      taken.push_back(thread);
      extend(to);
      taken.pop_back();
    }
    states.pop_back();
  };
  for (std::size_t s = 0; s < space.states.size(); ++s) extend(s);
  return nearest;
}

}  // namespace

// Failing ---------------------------------------------------------------------------------------

TEST_CASE(
    "checker/witness/witness: explanations agree with verdicts and the judge accepts the "
    "witnesses") {
  checker::Checker checker;
  int failing = 0, passing = 0;
  for_each_explanation([&](const Test& test, const lang::Program& program, const Pair& pair,
                           Fairness fairness, const Explanation& explanation) {
    const Verdict verdict = checker.check(program, {&pair.fast, 1}).verdicts.front().of(fairness);
    CAPTURE(situation(test, pair, fairness));
    REQUIRE(explanation.verdict == verdict);
    REQUIRE(explanation.witness.has_value() == (verdict == Verdict::fail));
    if (verdict == Verdict::pass) {
      ++passing;
      REQUIRE(explanation.replay.moments.empty());
      return;
    }
    ++failing;
    REQUIRE(explanation.broken.empty());
    const Lasso& lasso = explanation.witness->lasso;
    CAPTURE(text(lasso));
    const auto again = checker::replay(program, *pair.fast, fairness, lasso);
    REQUIRE_FALSE(again.objection);
    REQUIRE(again.moments == explanation.replay.moments);
    REQUIRE(again.moments.size() == lasso.stem.size() + 2 * lasso.cycle.size() + 1);
    const Judgement judgement = judge(test, pair.slow, fairness, lasso);
    REQUIRE(judgement.infinite);
    REQUIRE(judgement.closed);
    REQUIRE(judgement.fair);
  });
  CHECK(failing > 1500);
  CHECK(passing > 1500);
}

TEST_CASE(
    "checker/witness/witness: weak witnesses are smallest and nearest among all closed walks") {
  const int longest = 12;
  int compared = 0, skipped = 0;
  std::map<std::size_t, int> lengths;
  for_each_explanation([&](const Test& test, const lang::Program& program, const Pair& pair,
                           Fairness fairness, const Explanation& explanation) {
    if (fairness == Fairness::strong || explanation.verdict == Verdict::pass) return;
    const checker::Witness& witness = *explanation.witness;
    const Space space(test, program, pair);
    CAPTURE(situation(test, pair, fairness));
    CAPTURE(text(witness.lasso));
    REQUIRE(space.states.size() == explanation.states);
    REQUIRE(witness.smallest);
    REQUIRE(witness.states.size() == witness.lasso.cycle.size());
    long budget = 200'000;
    for (int length = 1; length <= longest; ++length) {
      const auto nearest = nearest_fair_walk(space, length, test.thread_count(), budget);
      if (budget < 0) break;
      if (!nearest) continue;
      REQUIRE(static_cast<int>(witness.lasso.cycle.size()) == length);
      REQUIRE(static_cast<int>(witness.lasso.stem.size()) == *nearest);
      ++compared;
      ++lengths[witness.lasso.cycle.size()];
      return;
    }
    ++skipped;
  });
  CHECK(compared > 1000);
  CHECK(skipped == 0);
  // Not only waiting loops.
  CHECK(lengths[1] > 100);
  CHECK(lengths[2] > 100);
  CHECK(lengths.rbegin()->first >= 4);
}

TEST_CASE("checker/witness/witness: strong witnesses take every guaranteed step of a closed set") {
  int compared = 0, several_states = 0;
  for_each_explanation([&](const Test& test, const lang::Program& program, const Pair& pair,
                           Fairness fairness, const Explanation& explanation) {
    if (fairness == Fairness::weak || explanation.verdict == Verdict::pass) return;
    const checker::Witness& witness = *explanation.witness;
    const Space space(test, program, pair);
    CAPTURE(situation(test, pair, fairness));
    CAPTURE(text(witness.lasso));
    REQUIRE(space.states.size() == explanation.states);
    std::size_t here = 0;
    for (const int thread : threads_of(witness.lasso.stem)) here = space.next[here].at(thread);
    // A shortest stem.
    REQUIRE(space.distance[here] == static_cast<int>(witness.lasso.stem.size()));
    const std::size_t start = here;
    std::set<std::size_t> set;
    std::set<std::pair<std::size_t, int>> taken;
    for (const int thread : threads_of(witness.lasso.cycle)) {
      set.insert(here);
      taken.emplace(here, thread);
      here = space.next[here].at(thread);
    }
    REQUIRE(here == start);
    for (std::size_t s : set) {
      for (int thread : space.states[s].fair) {
        REQUIRE(set.count(space.next[s].at(thread)) == 1);
        REQUIRE(taken.count({s, thread}) == 1);
      }
    }
    REQUIRE(set.size() == witness.states.size());
    REQUIRE(std::set(witness.states.begin(), witness.states.end()).size() == set.size());
    several_states += set.size() > 1 ? 1 : 0;
    ++compared;
  });
  CHECK(compared > 500);
  CHECK(several_states > 200);
}

// The search for a smallest cycle has a limit: with 20 threads that wait side by side it would have
// to try as many sets of threads as there are.
TEST_CASE(
    "checker/witness/witness: where the search for a smallest cycle gives up any fair one is "
    "shown") {
  std::string text = "locations m;\n";
  const int waiting = 20;
  for (int t = 0; t < waiting; ++t) {
    text += "thread " + std::to_string(t) + " { while (Load(m) == 0); }\n";
  }
  const Test alike = lang::parse(text, "alike");
  // The step of the last thread leaves the cycle, and nothing asks for it.
  const Test with_another =
      lang::parse("locations n, " + text.substr(10) + "thread 20 { n = 1; }\n", "with another");
  const testing::TemporaryFolder folder;
  models::Library library;
  const auto load = [&](const std::string& name, const std::string& rest) {
    return library.find(folder.write(name + ".yaml", "name: " + name + "\n" + rest).string());
  };
  const models::ModelPtr fair = library.named("fair");
  const models::ModelPtr all_but_last = load("all-but-last", "fair: alive - {20}\n");
  // 0 and 1 are in F at every other moment.
  const models::ModelPtr by_turns =
      load("by-turns",
           "initial: all\non_step: (alive - {0, 1}) | (alive & {0, 1} - F)\n"
           "on_terminate: F - {tid}\n");
  for (const auto& situation : {std::pair(&alike, fair), std::pair(&alike, by_turns),
                                std::pair(&with_another, all_but_last)}) {
    const lang::axb::AxbProgram program(testing::axb_code(*situation.first));
    const models::Model& model = *situation.second;
    const Explanation explanation = checker::explain(program, model, Fairness::weak);
    CAPTURE(model.name());
    REQUIRE(explanation.verdict == Verdict::fail);
    CHECK_FALSE(explanation.witness->smallest);
    CHECK_FALSE(explanation.replay.objection);
    CHECK(explanation.witness->lasso.stem.empty());
    CHECK(explanation.witness->lasso.cycle.size() >= waiting - 2);
    CHECK(explanation.witness->lasso.cycle.size() <= waiting + 2);
  }
}

TEST_CASE("checker/witness/witness: a limit or a stop leaves it open") {
  const Test& test = all_tests().front();
  const lang::axb::AxbProgram program(testing::axb_code(test));
  const std::atomic<bool> stop{true};
  for (const Pair& pair : all_pairs()) {
    const std::size_t states = checker::explain(program, *pair.fast, Fairness::weak).states;
    REQUIRE(states > 1);
    for (Fairness fairness : models::kFairnesses) {
      const Explanation open = checker::explain(program, *pair.fast, fairness, {states - 1, {}});
      CHECK(open.verdict == Verdict::unknown);
      CHECK_FALSE(open.witness);
      CHECK(open.broken.empty());
      CHECK(checker::explain(program, *pair.fast, fairness, {states, {}}).verdict !=
            Verdict::unknown);
    }
  }
  // Stopping is looked at once in a while; here is a program that takes long enough.
  std::string long_text = "locations m;\n";
  for (int t = 0; t < 12; ++t) {
    long_text += "thread " + std::to_string(t) + " { m = 1; m = 0; m = 1; }\n";
  }
  const Test wide = lang::parse(long_text, "long");
  const lang::axb::AxbProgram many(testing::axb_code(wide));
  const auto fair = models::Library().named("fair");
  CHECK(
      checker::explain(many, *fair, Fairness::weak, {checker::kDefaultMaxStates, &stop}).verdict ==
      Verdict::unknown);
}

// Replay ----------------------------------------------------------------------------------------

namespace {

// Everything that is one small change away from `lasso`.
std::vector<Lasso> mutations(const Lasso& lasso, int threads) {
  std::vector<Lasso> result;
  const auto add = [&](const auto& change) {
    Lasso mutated = lasso;
    change(mutated);
    result.push_back(std::move(mutated));
  };
  const auto at = [](std::vector<lang::Step>& steps, std::size_t i) {
    return steps.begin() + static_cast<std::ptrdiff_t>(i);
  };
  for (std::size_t i = 0; i < lasso.stem.size(); ++i) {
    add([&](Lasso& l) { l.stem.erase(at(l.stem, i)); });
    for (int t = -1; t <= threads; ++t) {
      if (t != lasso.stem[i]) add([&](Lasso& l) { l.stem[i] = t; });
    }
  }
  for (std::size_t i = 0; i < lasso.cycle.size(); ++i) {
    add([&](Lasso& l) { l.cycle.erase(at(l.cycle, i)); });
    add([&](Lasso& l) { l.cycle.insert(at(l.cycle, i), l.cycle[i]); });
    add([&](Lasso& l) { l.cycle.resize(i); });  // with i = 0 the empty cycle
    add([&](Lasso& l) { std::rotate(l.cycle.begin(), at(l.cycle, i), l.cycle.end()); });
    for (int t = -1; t <= threads; ++t) {
      if (t != lasso.cycle[i]) add([&](Lasso& l) { l.cycle[i] = t; });
    }
  }
  for (const int t : {-1000, threads, threads + 1, kMaxThreads, 1000000}) {
    add([&](Lasso& l) { l.stem.push_back(t); });
    add([&](Lasso& l) { l.cycle.push_back(t); });
  }
  for (int t = 0; t < threads; ++t) {
    add([&](Lasso& l) { l.stem.push_back(t); });
    add([&](Lasso& l) { l.stem.insert(l.stem.begin(), t); });
    add([&](Lasso& l) { l.cycle.push_back(t); });
  }
  // The same execution, told otherwise: the judge knows that it is still one.
  add([&](Lasso& l) { l.cycle.insert(l.cycle.end(), lasso.cycle.begin(), lasso.cycle.end()); });
  add([&](Lasso& l) { l.stem.insert(l.stem.end(), lasso.cycle.begin(), lasso.cycle.end()); });
  add([&](Lasso& l) {
    l.stem.push_back(l.cycle.front());
    std::rotate(l.cycle.begin(), l.cycle.begin() + 1, l.cycle.end());
  });
  return result;
}

}  // namespace

TEST_CASE(
    "checker/witness/witness: mutated witnesses are accepted exactly when they are still fair") {
  Tally tally;
  for_each_explanation([&](const Test& test, const lang::Program& program, const Pair& pair,
                           Fairness fairness, const Explanation& explanation) {
    if (explanation.verdict == Verdict::pass) return;
    for (const Lasso& lasso : mutations(explanation.witness->lasso, test.thread_count())) {
      if (agrees(test, program, pair, fairness, lasso, tally)) continue;
      FAIL_CHECK("the replay of " << text(lasso)
                                  << " is wrong: " << situation(test, pair, fairness));
    }
  });
  CHECK(tally.rejected > 40'000);
  CHECK(tally.accepted > 10'000);
  CHECK(tally.later > 1'000);
}

TEST_CASE("checker/witness/witness: the replay tells all short lassos right") {
  std::vector<std::vector<int>> words = {{}};
  for (std::size_t w = 0; words[w].size() < 4; ++w) {
    for (int thread : {0, 1}) {
      words.push_back(words[w]);
      words.back().push_back(thread);
    }
  }
  Tally tally;
  const std::vector<Pair> pairs = all_pairs();
  for (const Test& test : all_tests()) {
    if (test.thread_count() != 2 || (test.instruction_count() != 2 && test.name != "spin-mutex")) {
      continue;
    }
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const Pair& pair : pairs) {
      for (Fairness fairness : models::kFairnesses) {
        for (const auto& stem : words) {
          for (const auto& cycle : words) {
            if (stem.size() > 3) continue;
            const Lasso lasso{{stem.begin(), stem.end()}, {cycle.begin(), cycle.end()}};
            if (agrees(test, program, pair, fairness, lasso, tally)) continue;
            FAIL_CHECK("the replay of " << text(lasso)
                                        << " is wrong: " << situation(test, pair, fairness));
          }
        }
      }
    }
  }
  CHECK(tally.rejected > 50'000);
  CHECK(tally.accepted > 1'000);
}

TEST_CASE("checker/witness/witness: what is only weakly fair is rejected under strong fairness") {
  int rejected = 0, accepted = 0, must_be_rejected = 0;
  const std::vector<Pair> pairs = all_pairs();
  for (const Test& test : all_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const Pair& pair : pairs) {
      const Explanation weak = checker::explain(program, *pair.fast, Fairness::weak);
      if (weak.verdict == Verdict::pass) continue;
      const Explanation strong = checker::explain(program, *pair.fast, Fairness::strong);
      const auto objection =
          checker::replay(program, *pair.fast, Fairness::strong, weak.witness->lasso).objection;
      CAPTURE(situation(test, pair, Fairness::strong));
      REQUIRE(objection.has_value() !=
              judge(test, pair.slow, Fairness::strong, weak.witness->lasso).fair);
      ++(objection ? rejected : accepted);
      if (objection) {
        CHECK(testing::contains(*objection, "is guaranteed and the cycle never takes it"));
      }
      if (strong.verdict == Verdict::pass) {
        ++must_be_rejected;
        REQUIRE(objection);
        continue;
      }
      // What is strongly fair is weakly fair.
      REQUIRE_FALSE(
          checker::replay(program, *pair.fast, Fairness::weak, strong.witness->lasso).objection);
    }
  }
  CHECK(must_be_rejected > 500);
  CHECK(rejected > must_be_rejected);
  CHECK(accepted > 300);
}

TEST_CASE("checker/witness/witness: the replay says what is wrong") {
  const Test test = lang::parse(
      "locations m;\nthread 0 { while (Exch(m, 1) == 1); m = 0; }\n"
      "thread 1 { while (Exch(m, 1) == 1); m = 0; }\n",
      "mutex");
  const lang::axb::AxbProgram program(testing::axb_code(test));
  models::Library library;
  const auto objection = [&](const char* model, Fairness fairness, const Lasso& lasso) {
    return checker::replay(program, *library.named(model), fairness, lasso)
        .objection.value_or("none");
  };
  CHECK(objection("HSA", Fairness::weak, {{1}, {0}}) == "none");
  CHECK(objection("HSA", Fairness::strong, {{1}, {0}}) == "none");
  CHECK(objection("OBE", Fairness::weak, {{1}, {0}}) ==
        "thread 1 is guaranteed throughout the cycle and never steps");
  CHECK(objection("OBE", Fairness::strong, {{1}, {0}}) ==
        "before step 1 of the cycle a step of thread 1 is guaranteed and the cycle never takes it");
  CHECK(objection("HSA", Fairness::weak, {{1}, {}}) == "the cycle has no step");
  CHECK(objection("HSA", Fairness::weak, {{}, {0}}) == "the cycle does not end where it began");
  CHECK(objection("HSA", Fairness::weak, {{2}, {0}}) == "there is no thread 2");
  CHECK(objection("HSA", Fairness::weak, {{1}, {63}}) == "there is no thread 63");
  CHECK(objection("HSA", Fairness::weak, {{0, 0}, {0}}) == "step 3: thread 0 has terminated");
  CHECK(objection("HSA", Fairness::weak, {{1}, {0, 1}}) == "step 5: thread 1 has terminated");
}

// Passing ---------------------------------------------------------------------------------------

namespace {

// What is left of the components in each round, found by following every path.
struct Part {
  int round;
  std::vector<std::size_t> states;
  std::set<int> steps;  // inside
  std::set<int> breakers;
  std::size_t remaining = 0;
};

std::set<int> members(ThreadSet set) {
  std::set<int> result;
  for (int t : set) result.insert(t);
  return result;
}

std::vector<Part> parts(const Space& space, const std::vector<bool>& kept, int round, int threads) {
  std::vector<Part> result;
  const auto reaches = space.closure(kept);
  std::vector<bool> placed(space.states.size());
  for (std::size_t s = 0; s < space.states.size(); ++s) {
    if (!reaches[s][s] || placed[s]) continue;
    Part part;
    part.round = round;
    for (std::size_t other = s; other < space.states.size(); ++other) {
      if (!reaches[s][other] || !reaches[other][s]) continue;
      placed[other] = true;
      part.states.push_back(other);
    }
    for (std::size_t state : part.states) {
      for (const auto& [thread, to] : space.next[state]) {
        if (std::count(part.states.begin(), part.states.end(), to) > 0) part.steps.insert(thread);
      }
    }
    for (int thread = 0; thread < threads; ++thread) {
      const bool always = std::all_of(
          part.states.begin(), part.states.end(),
          [&](std::size_t state) { return space.states[state].fair.count(thread) > 0; });
      if (always && part.steps.count(thread) == 0) part.breakers.insert(thread);
    }
    result.push_back(std::move(part));
  }
  return result;
}

// A guaranteed step from `state` that leaves `part`.
bool leads_out(const Space& space, const Part& part, std::size_t state, int thread) {
  return space.states[state].fair.count(thread) > 0 &&
         std::count(part.states.begin(), part.states.end(), space.next[state].at(thread)) == 0;
}

}  // namespace

TEST_CASE(
    "checker/witness/witness: every component of a passing test is broken by a guaranteed thread") {
  int compared = 0;
  for_each_explanation([&](const Test& test, const lang::Program& program, const Pair& pair,
                           Fairness fairness, const Explanation& explanation) {
    if (fairness == Fairness::strong || explanation.verdict == Verdict::fail) return;
    const Space space(test, program, pair);
    CAPTURE(situation(test, pair, fairness));
    const std::vector<Part> expected =
        parts(space, std::vector<bool>(space.states.size(), true), 1, test.thread_count());
    REQUIRE(explanation.broken.size() == expected.size());
    int last_distance = 0;
    for (const BrokenCycle& broken : explanation.broken) {
      const std::size_t at = space.find(broken.example.from);
      REQUIRE(at < space.states.size());
      const auto part = std::find_if(expected.begin(), expected.end(), [&](const Part& p) {
        return std::count(p.states.begin(), p.states.end(), at) > 0;
      });
      REQUIRE(part != expected.end());
      CHECK(broken.round == 1);
      CHECK(broken.states == part->states.size());
      CHECK(members(broken.steps) == part->steps);
      CHECK(members(broken.breakers.threads) == part->breakers);
      REQUIRE_FALSE(part->breakers.empty());
      // The example: a breaker, guaranteed there and with a step that leads out.
      CHECK(part->breakers.count(broken.example.thread) == 1);
      CHECK(broken.example.from.selected.threads.contains(broken.example.thread));
      CHECK_FALSE(broken.steps.contains(broken.example.thread));
      CHECK(leads_out(space, *part, at, broken.example.thread));
      // In the order in which they can be reached, each at its nearest state.
      for (std::size_t s : part->states) CHECK(space.distance[s] >= space.distance[at]);
      CHECK(space.distance[at] >= last_distance);
      last_distance = space.distance[at];
      ++compared;
    }
  });
  CHECK(compared > 500);
}

TEST_CASE("checker/witness/witness: strong fairness breaks cycles in rounds until none is left") {
  int compared = 0, later_rounds = 0;
  for_each_explanation([&](const Test& test, const lang::Program& program, const Pair& pair,
                           Fairness fairness, const Explanation& explanation) {
    if (fairness == Fairness::weak || explanation.verdict == Verdict::fail) return;
    const Space space(test, program, pair);
    CAPTURE(situation(test, pair, fairness));
    std::vector<bool> kept(space.states.size(), true);
    std::size_t next = 0;
    for (int round = 1;; ++round) {
      std::vector<Part> expected = parts(space, kept, round, test.thread_count());
      if (expected.empty()) break;
      kept.assign(space.states.size(), false);
      for (Part& part : expected) {
        part.breakers.clear();
        for (std::size_t state : part.states) {
          bool leaves = false;
          for (int thread : space.states[state].fair) {
            if (!leads_out(space, part, state, thread)) continue;
            part.breakers.insert(thread);
            leaves = true;
          }
          kept[state] = !leaves;
          part.remaining += leaves ? 0 : 1;
        }
      }
      for (std::size_t count = expected.size(); count > 0; --count, ++next) {
        REQUIRE(next < explanation.broken.size());
        const BrokenCycle& broken = explanation.broken[next];
        const std::size_t at = space.find(broken.example.from);
        REQUIRE(at < space.states.size());
        const auto part = std::find_if(expected.begin(), expected.end(), [&](const Part& p) {
          return std::count(p.states.begin(), p.states.end(), at) > 0;
        });
        REQUIRE(part != expected.end());
        CHECK(broken.round == round);
        CHECK(broken.states == part->states.size());
        CHECK(members(broken.steps) == part->steps);
        CHECK(members(broken.breakers.threads) == part->breakers);
        CHECK(broken.remaining == part->remaining);
        CHECK(leads_out(space, *part, at, broken.example.thread));
        ++compared;
        later_rounds += round > 1 ? 1 : 0;
      }
    }
    REQUIRE(next == explanation.broken.size());
  });
  CHECK(compared > 1000);
  CHECK(later_rounds > 10);
}
