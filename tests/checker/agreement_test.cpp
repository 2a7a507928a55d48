// The checker against the oracle, which knows nothing of it: on all small programs there are, on
// the published tests and on random ones, under models whose F is whatever F can be. More random
// tests are tried with HEADWAY_AUTOMATA=COUNT in the environment.
#include "support/agreement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "base/bits/hash.hpp"
#include "checker/check.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/program.hpp"
#include "models/library.hpp"
#include "oracle/oracle.hpp"
#include "support/axb.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "support/model_pairs.hpp"

using namespace headway;
using checker::Verdict;
using lang::Test;
using lang::axb::Code;
using lang::axb::make_test;
using models::Fairness;
using testing::all_pairs;
using testing::changing_pairs;
using testing::event_pairs;
using testing::instruction_pairs;
using testing::Pair;
using testing::Pairs;
using testing::random_pairs;
using testing::RandomModel;
using testing::standard_pairs;

namespace {

// Comparing ------------------------------------------------------------------------------------

Verdict verdict(bool passes) { return passes ? Verdict::pass : Verdict::fail; }

class Comparison {
 public:
  struct Tally {
    int pass = 0;
    int fail = 0;
  };

  // The oracle explores at most `max_states` a test and model.
  explicit Comparison(Pairs pairs, std::size_t max_states = oracle::kMaxStates)
      : pairs_(std::move(pairs)), max_states_(max_states) {
    for (const Pair& pair : pairs_) fast_.push_back(pair.fast);
  }

  // Compares the verdicts on `test` under all models, those given together and those of each model
  // alone, for which the checker may keep less of the history. False when the test is too large.
  bool run(const Test& test) {
    std::vector<oracle::Lts> spaces;
    for (const Pair& pair : pairs_) {
      std::optional<oracle::Lts> lts = oracle::explore(test, pair.slow, max_states_);
      if (!lts) return false;
      spaces.push_back(std::move(*lts));
    }
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const checker::CheckResult together = checker_.check(program, fast_);
    for (std::size_t m = 0; m < pairs_.size(); ++m) {
      const models::Model& model = *fast_[m];
      const checker::CheckResult alone = checker_.check(program, {&fast_[m], 1});
      for (Fairness fairness : models::kFairnesses) {
        const bool passes = oracle::passes(spaces[m], fairness);
        Tally& tally = tallies_[m][fairness];
        ++(passes ? tally.pass : tally.fail);
        const Verdict with_others = together.verdicts[m].of(fairness);
        const Verdict by_itself = alone.verdicts[0].of(fairness);
        if (with_others != verdict(passes) || by_itself != verdict(passes)) {
          report(test, model.name() + ", " + to_string(fairness) + " fairness: the oracle says " +
                           to_string(verdict(passes)) + ", the checker " + to_string(with_others) +
                           " among other models and " + to_string(by_itself) + " alone");
        }
      }
      // Where F is a function of the history, F splits no states.
      if (model.history_determined() && model.looks_at_started() &&
          (alone.states != spaces[m].states.size() ||
           alone.transitions != spaces[m].transitions.size())) {
        report(test, model.name() + ": the oracle finds " +
                         std::to_string(spaces[m].states.size()) + " states and " +
                         std::to_string(spaces[m].transitions.size()) +
                         " transitions, the checker " + std::to_string(alone.states) + " and " +
                         std::to_string(alone.transitions));
      }
    }
    ++tests_;
    return true;
  }

  int tests() const { return tests_; }
  int mismatches() const { return mismatches_; }
  const Tally& tally(std::size_t model, Fairness fairness) { return tallies_[model][fairness]; }

  // That the comparison said something: every model gave both verdicts.
  void check_both_verdicts_occur() {
    for (std::size_t m = 0; m < pairs_.size(); ++m) {
      for (Fairness fairness : models::kFairnesses) {
        CAPTURE(fast_[m]->name());
        CAPTURE(to_string(fairness));
        CHECK(tally(m, fairness).pass > 0);
        CHECK(tally(m, fairness).fail > 0);
      }
    }
  }

 private:
  void report(const Test& test, const std::string& difference) {
    if (++mismatches_ <= 10) FAIL_CHECK(difference << "\n" << lang::print(test));
  }

  Pairs pairs_;
  std::size_t max_states_;
  std::vector<models::ModelPtr> fast_;
  checker::Checker checker_;
  std::map<std::size_t, std::map<Fairness, Tally>> tallies_;
  int tests_ = 0;
  int mismatches_ = 0;
};

// Tests ----------------------------------------------------------------------------------------

Code empty_code(int threads, int locations, int values) {
  Code code;
  code.values = values;
  code.threads.resize(threads);
  for (int l = 0; l < locations; ++l) code.locations.push_back({"m" + std::to_string(l), 0});
  return code;
}

lang::axb::Instruction axb(int location, int check, int jump, bool exchanges, int exchange) {
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  return {byte(location), byte(check), byte(jump), exchanges, byte(exchange)};
}

// All of them, well-formed or not, over two values and in a thread of that length.
std::vector<lang::axb::Instruction> all_instructions(int length, int locations) {
  std::vector<lang::axb::Instruction> result;
  for (int location = 0; location < locations; ++location) {
    for (int check : {0, 1}) {
      for (int jump = 0; jump <= length; ++jump) {
        result.push_back(axb(location, check, jump, false, 0));
        result.push_back(axb(location, check, jump, true, 0));
        result.push_back(axb(location, check, jump, true, 1));
      }
    }
  }
  return result;
}

// Calls `visit` with every program whose threads have these lengths.
template <class Visit>
void for_each_program(const std::vector<int>& lengths, int locations, const Visit& visit) {
  Code code = empty_code(static_cast<int>(lengths.size()), locations, 2);
  std::vector<std::pair<int, int>> places;  // thread, index
  for (int t = 0; t < code.thread_count(); ++t) {
    code.threads[t].instructions.resize(lengths[t]);
    for (int i = 0; i < lengths[t]; ++i) places.emplace_back(t, i);
  }
  const std::function<void(std::size_t)> fill = [&](std::size_t place) {
    if (place == places.size()) return visit(make_test(code));
    const auto [thread, index] = places[place];
    for (const lang::axb::Instruction& instruction : all_instructions(lengths[thread], locations)) {
      code.threads[thread].instructions[index] = instruction;
      fill(place + 1);
    }
  };
  fill(0);
}

class RandomTests {
 public:
  explicit RandomTests(unsigned seed) : engine_(seed) {}

  // 2 to 4 threads of 1 to 4 instructions, 1 to 3 locations, 2 to 4 values.
  Test narrow() {
    Code code = empty_code(2 + below(3), 1 + below(3), 2 + below(3));
    for (lang::axb::Location& location : code.locations)
      location.initial = byte(below(code.values));
    std::vector<int> locations, values;
    for (std::size_t l = 0; l < code.locations.size(); ++l)
      locations.push_back(static_cast<int>(l));
    for (int v = 0; v < code.values; ++v) values.push_back(v);
    fill(code, locations, values, 1 + below(4));
    return make_test(std::move(code));
  }

  // Like narrow(), with 2 threads of 1 or 2 instructions and 2 values.
  Test tiny() {
    Code code = empty_code(2, 1 + below(2), 2);
    fill(code, code.locations.size() == 1 ? std::vector{0} : std::vector{0, 1}, {0, 1}, 2);
    return make_test(std::move(code));
  }

  // Many locations, of which only the last and another one are used, so that states take one to
  // nine words and words end at any bit of a field.
  Test wide() {
    const int bits = 1 + below(2) * below(8);
    Code code = empty_code(2 + below(2), lang::axb::kMaxLocations - below(16), 1 << bits);
    const int last = static_cast<int>(code.locations.size()) - 1;
    const std::vector<int> locations = {below(last), last};
    const std::vector<int> values = {below(code.values), code.values - 1};
    for (lang::axb::Location& location : code.locations)
      location.initial = byte(below(code.values));
    for (int l : locations) code.locations[l].initial = byte(values[below(2)]);
    fill(code, locations, values, 1 + below(4));
    return make_test(std::move(code));
  }

 private:
  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }
  static std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

  void fill(Code& code, const std::vector<int>& locations, const std::vector<int>& values,
            int max_length) {
    const auto any = [&](const std::vector<int>& list) {
      return list[below(static_cast<int>(list.size()))];
    };
    for (lang::axb::Thread& thread : code.threads) {
      const int length = 1 + below(max_length);
      for (int i = 0; i < length; ++i) {
        const bool exchanges = below(2) == 0;
        const int location = any(locations), check = any(values), exchange = any(values);
        thread.instructions.push_back(
            axb(location, check, below(length + 1), exchanges, exchanges ? exchange : 0));
      }
    }
  }

  std::mt19937 engine_;
};

// Compares on `count` random tests, drawing another one where a test is too large for the oracle.
// Returns how many tests it compared with 2, 3 and 4 threads.
template <class Draw>
std::map<int, int> compare_random(Comparison& comparison, int count, const Draw& draw_test) {
  std::map<int, int> compared;
  for (int drawn = 0; comparison.tests() < count && drawn < 20 * count; ++drawn) {
    const Test test = draw_test();
    if (comparison.run(test)) ++compared[test.thread_count()];
  }
  return compared;
}

TEST_CASE("checker/agreement: the oracle gives the published verdicts") {
  const std::vector<oracle::Model> models = oracle::set_models();
  std::map<std::string, const Test*> tests;
  for (const Test& test : testing::published_tests()) tests[test.name] = &test;
  int compared = 0;
  for (const testing::PublishedVerdict& published : testing::published_verdicts()) {
    const auto model = std::find_if(models.begin(), models.end(), [&](const auto& candidate) {
      return candidate.name == published.model;
    });
    REQUIRE(model != models.end());
    const std::optional<oracle::Lts> lts = oracle::explore(*tests.at(published.test), *model);
    REQUIRE(lts);
    CAPTURE(published.test);
    CAPTURE(published.model);
    CHECK(oracle::passes(*lts, published.fairness) == published.passes);
    ++compared;
  }
  CHECK(compared == 184 * 5 * 2);
}

TEST_CASE("checker/agreement: published tests under all models") {
  Comparison comparison(all_pairs());
  for (const Test& test : testing::published_tests()) REQUIRE(comparison.run(test));
  CHECK(comparison.tests() == 184);
  CHECK(comparison.mismatches() == 0);
}

TEST_CASE("checker/agreement: every program of two one-instruction threads") {
  Comparison comparison(standard_pairs() + event_pairs() + changing_pairs());
  const auto compare = [&](const Test& test) { REQUIRE(comparison.run(test)); };
  for_each_program({1, 1}, 1, compare);
  CHECK(comparison.tests() == 12 * 12);
  for_each_program({1, 1}, 2, compare);
  CHECK(comparison.tests() == 12 * 12 + 24 * 24);
  CHECK(comparison.mismatches() == 0);
  comparison.check_both_verdicts_occur();
}

TEST_CASE("checker/agreement: every program of a two-instruction and a one-instruction thread") {
  Comparison comparison(standard_pairs() + changing_pairs());
  const auto compare = [&](const Test& test) { REQUIRE(comparison.run(test)); };
  for_each_program({2, 1}, 1, compare);
  CHECK(comparison.tests() == 18 * 18 * 12);
  for_each_program({1, 2}, 1, compare);
  CHECK(comparison.tests() == 2 * 18 * 18 * 12);
  CHECK(comparison.mismatches() == 0);
  comparison.check_both_verdicts_occur();
}

TEST_CASE("checker/agreement: random tests under all models") {
  Comparison comparison(all_pairs(), 160);
  RandomTests random(1);
  const int wanted = testing::wanted_programs(200);
  std::map<int, int> compared = compare_random(comparison, wanted, [&] { return random.narrow(); });
  CHECK(comparison.tests() == wanted);
  for (int threads : {2, 3, 4}) CHECK(compared[threads] >= 20);
  CHECK(comparison.mismatches() == 0);
  comparison.check_both_verdicts_occur();
}

TEST_CASE("checker/agreement: published and all small tests under models that see instructions") {
  Comparison published(instruction_pairs());
  for (const Test& test : testing::published_tests()) REQUIRE(published.run(test));
  CHECK(published.mismatches() == 0);
  Comparison small(instruction_pairs());
  const auto compare = [&](const Test& test) { REQUIRE(small.run(test)); };
  for_each_program({1, 1}, 2, compare);
  for_each_program({2, 1}, 1, compare);
  CHECK(small.tests() == 24 * 24 + 18 * 18 * 12);
  CHECK(small.mismatches() == 0);
}

TEST_CASE("checker/agreement: random tests under models that see instructions") {
  Comparison comparison(instruction_pairs() + changing_pairs(), 160);
  RandomTests random(6);
  const int wanted = testing::wanted_programs(250);
  compare_random(comparison, wanted, [&] { return random.narrow(); });
  CHECK(comparison.tests() == wanted);
  CHECK(comparison.mismatches() == 0);
  comparison.check_both_verdicts_occur();
}

TEST_CASE("checker/agreement: random tests whose states take many words") {
  Comparison comparison(standard_pairs() + changing_pairs(), 200);
  RandomTests random(2);
  const int wanted = testing::wanted_programs(80);
  compare_random(comparison, wanted, [&] { return random.wide(); });
  CHECK(comparison.tests() == wanted);
  CHECK(comparison.mismatches() == 0);
}

// The oracle rests on strongly connected components too, so it is held against the definitions
// wherever those can be tried out in full.
TEST_CASE("checker/agreement: the oracle agrees with the definitions tried on all small cycles") {
  const Pairs pairs = standard_pairs() + changing_pairs() + random_pairs() + instruction_pairs();
  int by_states = 0, by_transitions = 0, failing = 0;
  const auto compare = [&](const Test& test) {
    for (const Pair& pair : pairs) {
      const oracle::Lts lts = *oracle::explore(test, pair.slow);
      for (Fairness fairness : models::kFairnesses) {
        const bool passes = oracle::passes(lts, fairness);
        std::string wrong;
        if (lts.states.size() <= 10) {
          ++by_states;
          if (oracle::passes_by_state_sets(lts, fairness) != passes) wrong = "sets of states";
        }
        if (lts.transitions.size() <= 10) {
          ++by_transitions;
          failing += passes ? 0 : 1;
          if (oracle::passes_by_transition_sets(lts, fairness) != passes) {
            wrong = "sets of transitions";
          }
        }
        if (!wrong.empty()) {
          FAIL_CHECK(pair.slow.name << ", " << to_string(fairness) << " fairness: " << wrong
                                    << " disagree with components\n"
                                    << lang::print(test));
        }
      }
    }
  };
  for_each_program({1, 1}, 1, compare);
  for_each_program({1, 1}, 2, compare);
  RandomTests random(3);
  for (int i = 0; i < testing::budget(200); ++i) compare(random.tiny());
  CHECK(by_states >= 40'000);
  CHECK(by_transitions >= 35'000);
  CHECK(failing >= 10'000);
}

// What semantics.md says of all models ----------------------------------------------------------

struct FairCycleKinds {
  bool weak;
  bool strong;
};

// Asks for both kinds, also where one answer settles the other.
FairCycleKinds find_fair_cycles(const lang::Program& program, const checker::Lts& lts,
                                const models::Model& model) {
  using Answer = checker::FairCycles::Answer;
  checker::FairCycles cycles;
  const auto both = [&](const checker::FairSets& fair) -> FairCycleKinds {
    return {cycles.weak(fair) == Answer::yes, cycles.strong(fair) == Answer::yes};
  };
  if (model.history_determined()) {
    checker::FairSets fair;
    fair.annotate(lts, model);
    cycles.prepare(lts);
    return both(fair);
  }
  checker::FairProduct product;
  REQUIRE(product.build(program, lts, model, 1'000'000));
  cycles.prepare(product.lts());
  return both(product.fair_sets());
}

TEST_CASE("checker/agreement: weak pass implies strong pass and unfair reads the same twice") {
  const Pairs pairs = all_pairs();
  checker::Explorer explorer;
  RandomTests random(4);
  int weak_only = 0;
  for (int i = 0; i < testing::budget(400); ++i) {
    const Test test = random.narrow();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const checker::Lts* lts = explorer.explore(program, {});
    REQUIRE(lts != nullptr);
    for (const Pair& pair : pairs) {
      const FairCycleKinds found = find_fair_cycles(program, *lts, *pair.fast);
      const bool same = found.weak == found.strong;
      weak_only += same ? 0 : 1;
      if ((found.strong && !found.weak) || (pair.slow.name == "unfair" && !same)) {
        FAIL_CHECK(pair.fast->name() << ": weakly fair cycle " << found.weak
                                     << ", strongly fair cycle " << found.strong << "\n"
                                     << lang::print(test));
      }
    }
  }
  CHECK(weak_only > 0);
}

TEST_CASE("checker/agreement: a larger fair set turns only fail into pass") {
  models::Library library;
  const auto find = [&](const char* name) { return library.find(name); };
  // HSA+OBE may guarantee more than LOBE, but only before the first thread that is still alive has
  // started, and so not on a cycle.
  std::vector<std::pair<models::ModelPtr, models::ModelPtr>> ordered = {
      {find("unfair"), find("HSA")},      {find("unfair"), find("OBE")},
      {find("HSA"), find("HSA+OBE")},     {find("OBE"), find("HSA+OBE")},
      {find("OBE"), find("LOBE")},        {find("HSA+OBE"), find("LOBE")},
      {find("LOBE"), find("fair")},       {find("HSA"), find("HSA-k(k=2)")},
      {find("HSA-k(k=2)"), find("fair")}, {find("OBE"), find("OBE-k(k=2)")},
      {find("OBE-k(k=2)"), find("fair")}};
  for (std::uint64_t seed : {51, 52, 53, 54}) {
    const std::vector<std::uint64_t> less = {seed}, more = {seed, seed + 100};
    ordered.emplace_back(std::make_shared<RandomModel>(less), std::make_shared<RandomModel>(more));
  }
  checker::Checker checker;
  RandomTests random(5);
  int gained = 0;
  for (int i = 0; i < testing::budget(400); ++i) {
    const Test test = random.narrow();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const auto& [less, more] : ordered) {
      const models::ModelPtr both[] = {less, more};
      const checker::CheckResult result = checker.check(program, both);
      for (Fairness fairness : models::kFairnesses) {
        const bool passes = result.verdicts[0].of(fairness) == Verdict::pass;
        const bool passes_with_more = result.verdicts[1].of(fairness) == Verdict::pass;
        gained += passes_with_more && !passes ? 1 : 0;
        if (passes && !passes_with_more) {
          FAIL_CHECK(less->name() << " passes and " << more->name() << " fails, "
                                  << to_string(fairness) << " fairness\n"
                                  << lang::print(test));
        }
      }
    }
  }
  CHECK(gained > 0);
}

TEST_CASE("checker/agreement: the spin mutex and the producer-consumer") {
  Code code = empty_code(2, 1, 2);
  for (lang::axb::Thread& thread : code.threads) {
    thread.instructions = {axb(0, 1, 0, true, 1), axb(0, 0, 2, true, 0)};
  }
  const Test mutex = make_test(code);
  code.threads[0].instructions = {axb(0, 0, 1, true, 1)};
  code.threads[1].instructions = {axb(0, 0, 0, false, 0)};
  const Test consumer_last = make_test(code);
  const std::map<std::string, bool> mutex_passes = {{"unfair", false}, {"HSA", false},
                                                    {"OBE", true},     {"HSA+OBE", true},
                                                    {"LOBE", true},    {"fair", true}};
  for (const oracle::Model& model : oracle::set_models()) {
    for (Fairness fairness : models::kFairnesses) {
      CAPTURE(model.name);
      CAPTURE(to_string(fairness));
      CHECK(oracle::passes(*oracle::explore(mutex, model), fairness) ==
            mutex_passes.at(model.name));
      const bool passes = oracle::passes(*oracle::explore(consumer_last, model), fairness);
      if (model.name == "HSA") CHECK(passes);
      if (model.name == "OBE") CHECK_FALSE(passes);
    }
  }
  Comparison comparison(all_pairs());
  CHECK(comparison.run(mutex));
  CHECK(comparison.run(consumer_last));
  CHECK(comparison.mismatches() == 0);
}

}  // namespace
