// Sweeps against the whole LTS and against the oracle, with each reduction and without: on random
// tests whose threads share programs, on the reference tests and on the families.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

#include "checker/check.hpp"
#include "lang/axb/families.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/program.hpp"
#include "models/library.hpp"
#include "oracle/oracle.hpp"
#include "support/axb.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "support/model_pairs.hpp"

using namespace headway;
using checker::CheckOptions;
using checker::CheckResult;
using checker::ModelVerdict;
using checker::Reductions;
using checker::Verdict;
using lang::Test;
using lang::axb::Code;
using models::Fairness;
using models::ModelPtr;
using testing::kShare;
using testing::Pair;
using testing::Pairs;

namespace {

using Models = std::vector<ModelPtr>;
using Verdicts = std::vector<ModelVerdict>;

// Models ---------------------------------------------------------------------------------------

// Those whose F is a function of the history, as only they can be swept.
Pairs set_form_pairs() {
  Pairs pairs = testing::standard_pairs() + testing::family_pairs() + testing::random_pairs();
  std::erase_if(pairs, [](const Pair& pair) { return !pair.fast->history_determined(); });
  return pairs;
}

Models fast(const Pairs& pairs) {
  Models models;
  for (const Pair& pair : pairs) models.push_back(pair.fast);
  return models;
}

// Ways to decide -------------------------------------------------------------------------------

struct Way {
  std::string name;
  CheckOptions options;
};

CheckOptions whole_lts() {
  CheckOptions options;
  options.reductions = {false, false, false, false, false, false};
  return options;
}

// Sweeps, however small a test is.
CheckOptions sweep(bool symmetry, bool sleep_sets, bool history, bool early_stop) {
  CheckOptions options;
  options.small = 0;
  options.reductions = {true, symmetry, sleep_sets, true, history, early_stop};
  return options;
}

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"all reductions", sweep(true, true, true, true)},
      {"layers alone", sweep(false, false, false, false)},
      {"layers and sleep sets", sweep(false, true, false, false)},
      {"no symmetry", sweep(false, true, true, true)},
      {"no history reduction", sweep(true, true, false, true)},
      {"no early stop", sweep(true, true, true, false)},
  };
  return all;
}

// Tests ----------------------------------------------------------------------------------------

class RandomTests {
 public:
  explicit RandomTests(unsigned seed) : engine_(seed) {}

  // 3 to 6 threads of at most 12 instructions together, which share 1 to 3 programs, and 2 to 4
  // values. Which thread runs which program is random.
  Test any() {
    const int threads = 3 + below(4);
    return test(threads, 1 + below(3), 2 + below(3), 1 + below(3), [&](const Code& code) {
      const int length = 1 + below(std::min(12 / threads, 4));
      lang::axb::Thread program;
      for (int i = 0; i < length; ++i) {
        const int jump = below(3) == 0 ? below(i + 1) : below(length + 1);
        program.instructions.push_back(instruction(code, jump, below(2) == 0));
      }
      return program;
    });
  }

  // 3 or 4 threads, which share 1 or 2 programs that go round: the last instruction leads back to
  // the first, unless it reads another value. So threads can take turns for ever.
  Test circling() {
    const int threads = 3 + below(2);
    return test(threads, 1 + below(2), 2 + below(2), 1 + below(2), [&](const Code& code) {
      const int length = 2 + below(12 / threads - 1);
      lang::axb::Thread program;
      for (int i = 0; i + 1 < length; ++i) {
        const int jump = below(2) == 0 ? below(i + 1) : i + 1 + below(length - i);
        program.instructions.push_back(instruction(code, jump, below(3) > 0));
      }
      program.instructions.push_back(instruction(code, 0, below(2) == 0));
      return program;
    });
  }

 private:
  template <class Draw>
  Test test(int threads, int programs, int values, int locations, const Draw& draw) {
    Code code;
    code.values = values;
    for (int l = 0; l < locations; ++l) {
      code.locations.push_back({"m" + std::to_string(l), byte(below(values))});
    }
    std::vector<lang::axb::Thread> drawn;
    for (int p = 0; p < programs; ++p) drawn.push_back(draw(code));
    for (int t = 0; t < threads; ++t) code.threads.push_back(drawn[below(programs)]);
    return lang::axb::make_test(std::move(code));
  }

  lang::axb::Instruction instruction(const Code& code, int jump, bool exchanges) {
    lang::axb::Instruction i;
    i.location = byte(below(static_cast<int>(code.locations.size())));
    i.check_value = byte(below(code.values));
    i.jump = byte(jump);
    i.exchanges = exchanges;
    if (exchanges) i.exchange_value = byte(below(code.values));
    return i;
  }

  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }
  static std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

  std::mt19937 engine_;
};

// Comparing ------------------------------------------------------------------------------------

class Comparison {
 public:
  explicit Comparison(Models models) : models_(std::move(models)) {}

  // Compares every way with `expected`, all models together and each alone.
  void run(const Test& test, const Verdicts& expected) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const Way& way : ways()) {
      const CheckResult together = checker_.check(program, models_, way.options);
      REQUIRE(together.swept);
      REQUIRE(together.complete);
      symmetric_ += together.swept->interchangeable.empty() ? 0 : 1;
      for (std::size_t m = 0; m < models_.size(); ++m) {
        compare(test, way, "among others", m, together.verdicts[m], expected[m]);
        const CheckResult alone = checker_.check(program, {&models_[m], 1}, way.options);
        compare(test, way, "alone", m, alone.verdicts[0], expected[m]);
      }
    }
    for (std::size_t m = 0; m < models_.size(); ++m)
      ++seen_[m][{expected[m].weak, expected[m].strong}];
    ++tests_;
  }

  int tests() const { return tests_; }
  int mismatches() const { return mismatches_; }
  int symmetric() const { return symmetric_; }
  // How often a model had these verdicts.
  int seen(std::size_t model, Verdict weak, Verdict strong) { return seen_[model][{weak, strong}]; }

 private:
  void compare(const Test& test, const Way& way, const std::string& how, std::size_t model,
               const ModelVerdict& found, const ModelVerdict& expected) {
    if (found == expected || ++mismatches_ > 10) return;
    FAIL_CHECK(way.name << ", " << models_[model]->name() << " " << how << ": expected "
                        << to_string(expected.weak) << "/" << to_string(expected.strong)
                        << ", found " << to_string(found.weak) << "/" << to_string(found.strong)
                        << "\n"
                        << lang::print(test));
  }

  Models models_;
  checker::Checker checker_;
  std::map<std::size_t, std::map<std::pair<Verdict, Verdict>, int>> seen_;
  int tests_ = 0;
  int symmetric_ = 0;
  int mismatches_ = 0;
};

Verdict verdict(bool passes) { return passes ? Verdict::pass : Verdict::fail; }

// What the oracle says; nothing when the test is too large for it.
std::optional<Verdicts> by_oracle(const Test& test, const Pairs& pairs, std::size_t max_states) {
  Verdicts verdicts;
  for (const Pair& pair : pairs) {
    const std::optional<oracle::Lts> lts = oracle::explore(test, pair.slow, max_states);
    if (!lts) return std::nullopt;
    verdicts.push_back({verdict(oracle::passes(*lts, Fairness::weak)),
                        verdict(oracle::passes(*lts, Fairness::strong))});
  }
  return verdicts;
}

// Whether models differ in their verdicts, or the two readings of one model.
bool is_telling(const Verdicts& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [&](const ModelVerdict& verdict) {
    return !(verdict == verdicts.front()) || verdict.weak != verdict.strong;
  });
}

TEST_CASE("checker/sweep/sweep: random tests as by the whole LTS") {
  const Models models = fast(set_form_pairs());
  Comparison comparison(models);
  checker::Checker checker;
  RandomTests random(1);
  int telling = 0;
  for (int i = 0; i < testing::budget(500) / kShare; ++i) {
    const Test test = i % 2 == 0 ? random.any() : random.circling();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const CheckResult whole = checker.check(program, models, whole_lts());
    REQUIRE(whole.complete);
    REQUIRE_FALSE(whole.swept);
    comparison.run(test, whole.verdicts);
    telling += is_telling(whole.verdicts) ? 1 : 0;
  }
  CHECK(comparison.mismatches() == 0);
  CHECK(telling >= 25 / kShare);
  CHECK(comparison.symmetric() >= 750 / kShare);
  for (std::size_t m = 0; m < models.size(); ++m) {
    CAPTURE(models[m]->name());
    CHECK(comparison.seen(m, Verdict::pass, Verdict::pass) > 25 / kShare);
    CHECK(comparison.seen(m, Verdict::fail, Verdict::fail) > 25 / kShare);
    if (m > 0 && m < 6) CHECK(comparison.seen(m, Verdict::fail, Verdict::pass) > 2 / kShare);
  }
}

TEST_CASE("checker/sweep/sweep: random tests as by the definitions") {
  const Pairs pairs = set_form_pairs();
  const Models models = fast(pairs);
  Comparison comparison(models);
  checker::Checker checker;
  RandomTests random(2);
  std::map<int, int> by_threads;
  int telling = 0;
  const int count = testing::budget(150) / kShare;
  for (int drawn = 0; comparison.tests() < count; ++drawn) {
    REQUIRE(drawn < 10 * count);
    const Test test = drawn % 3 == 0 ? random.any() : random.circling();
    // Larger ones among those of 5 and 6 threads, which have more states.
    const std::optional<Verdicts> expected =
        by_oracle(test, pairs, test.thread_count() > 4 ? 1000 : 300);
    if (!expected) continue;
    const CheckResult whole =
        checker.check(lang::axb::AxbProgram(testing::axb_code(test)), models, whole_lts());
    if (whole.verdicts != *expected) FAIL_CHECK("the whole LTS\n" << lang::print(test));
    comparison.run(test, *expected);
    telling += is_telling(*expected) ? 1 : 0;
    ++by_threads[test.thread_count()];
  }
  CHECK(comparison.mismatches() == 0);
  CHECK(telling >= 5 / kShare);
  for (const int threads : {3, 4, 5, 6}) CHECK(by_threads[threads] >= 5 / kShare);
}

TEST_CASE("checker/sweep/sweep: the published tests") {
  const Pairs pairs = set_form_pairs();
  Comparison comparison(fast(pairs));
  for (const Test& test : testing::published_tests()) {
    comparison.run(test, *by_oracle(test, pairs, oracle::kMaxStates));
  }
  CHECK(comparison.tests() == 184);
  CHECK(comparison.mismatches() == 0);
}

// Sorting puts threads next to each other that are not in the test; which ids the threads of a kind
// have matters to models that look at ids.
TEST_CASE("checker/sweep/sweep: tests of two kinds of threads in every order") {
  const Pairs pairs = set_form_pairs();
  const Models models = fast(pairs);
  Comparison comparison(models);
  checker::Checker checker;
  RandomTests random(3);
  for (int i = 0; i < testing::budget(10) / kShare; ++i) {
    Code code = testing::axb_code(random.circling());
    const lang::axb::Thread one = code.threads.front();
    const lang::axb::Thread other = testing::axb_code(random.circling()).threads.front();
    for (lang::axb::Instruction instruction : other.instructions) {
      code.values =
          std::max({code.values, instruction.check_value + 1, instruction.exchange_value + 1});
      while (instruction.location >= code.locations.size()) {
        code.locations.push_back({"more" + std::to_string(code.locations.size()), 0});
      }
    }
    for (int order = 0; order < 16; ++order) {
      code.threads.clear();
      for (int t = 0; t < 4; ++t) code.threads.push_back((order >> t & 1) != 0 ? one : other);
      const Test test = lang::axb::make_test(code);
      comparison.run(
          test, checker.check(lang::axb::AxbProgram(testing::axb_code(test)), models, whole_lts())
                    .verdicts);
    }
  }
  CHECK(comparison.mismatches() == 0);
}

TEST_CASE("checker/sweep/sweep: sleep sets and layers visit every state once") {
  const Models models = fast(testing::standard_pairs());
  checker::Checker checker;
  RandomTests random(4);
  for (int i = 0; i < testing::budget(250) / kShare; ++i) {
    const Test test = i % 2 == 0 ? random.any() : random.circling();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    CheckOptions all = whole_lts();
    all.reductions.history = true;
    for (const bool history : {true, false}) {
      const Models asked = history ? Models{models[1]} : models;  // HSA looks at less
      const CheckResult whole = checker.check(program, asked, all);
      for (const bool sleep_sets : {true, false}) {
        const CheckResult swept =
            checker.check(program, asked, sweep(false, sleep_sets, true, false));
        CHECK(swept.states == whole.states);
        CHECK(swept.transitions == whole.transitions);
      }
    }
  }
}

// Locations that are never used pad a state to as many words as there are widths.
TEST_CASE("checker/sweep/sweep: states of several words") {
  const Models models = fast(set_form_pairs());
  checker::Checker checker;
  RandomTests random(5);
  std::map<int, int> words;
  for (int i = 0; i < testing::budget(80) / kShare; ++i) {
    const Test test = i % 2 == 0 ? random.any() : random.circling();
    const Code& code = testing::axb_code(test);
    const lang::axb::AxbProgram narrow(code);
    const Verdicts expected = checker.check(narrow, models, whole_lts()).verdicts;
    for (const int unused : {5, 9, 20, 40, 60}) {
      Code wide = code;
      wide.values = 256;
      wide.locations.insert(wide.locations.begin(), static_cast<std::size_t>(unused),
                            {"unused", 255});
      for (lang::axb::Thread& thread : wide.threads) {
        for (lang::axb::Instruction& instruction : thread.instructions) {
          instruction.location = static_cast<std::uint8_t>(instruction.location + unused);
        }
      }
      const lang::axb::AxbProgram program(wide);
      for (const Way& way : ways()) {
        const CheckResult result = checker.check(program, models, way.options);
        CHECK(result.verdicts == expected);
        REQUIRE(result.complete);
        ++words[result.swept ? result.swept->words : 0];
      }
    }
  }
  CHECK(words[0] == 0);
  for (const int count : {1, 2, 3, 6, 8}) CHECK(words[count] > 0);
}

TEST_CASE("checker/sweep/sweep: models that remember F have the whole LTS beside it") {
  const Pairs pairs = set_form_pairs() + testing::event_pairs() + testing::changing_pairs();
  Models models = fast(pairs);
  std::mt19937 engine(6);
  std::shuffle(models.begin(), models.end(), engine);
  checker::Checker checker;
  RandomTests random(6);
  for (int i = 0; i < 100; ++i) {
    const Test test = random.any();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const CheckResult whole = checker.check(program, models, whole_lts());
    const CheckResult apart = checker.check(program, models, sweep(true, true, true, true));
    REQUIRE(apart.swept);
    CHECK(apart.swept->models == set_form_pairs().size());
    CHECK(apart.complete);
    if (whole.verdicts != apart.verdicts) FAIL_CHECK(lang::print(test));
  }
}

TEST_CASE("checker/sweep/sweep: a reading that is not asked for stays unknown") {
  const Models models = fast(testing::standard_pairs());
  checker::Checker checker;
  RandomTests random(7);
  for (int i = 0; i < 200; ++i) {
    const Test test = random.circling();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const Verdicts both = checker.check(program, models, whole_lts()).verdicts;
    for (CheckOptions options : {whole_lts(), sweep(true, true, true, true)}) {
      options.strong = false;
      const Verdicts weak = checker.check(program, models, options).verdicts;
      options.weak = false;
      options.strong = true;
      const Verdicts strong = checker.check(program, models, options).verdicts;
      for (std::size_t m = 0; m < models.size(); ++m) {
        CHECK(weak[m] == ModelVerdict{both[m].weak, Verdict::unknown});
        CHECK(strong[m] == ModelVerdict{Verdict::unknown, both[m].strong});
      }
    }
  }
}

// Limits ---------------------------------------------------------------------------------------

TEST_CASE("checker/sweep/sweep: whatever the limit on states a verdict is right or unknown") {
  const Models models = fast(set_form_pairs());
  checker::Checker checker;
  RandomTests random(8);
  int early_fails = 0;
  for (int i = 0; i < 100; ++i) {
    const Test test = random.circling();
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const Verdicts truth = checker.check(program, models, whole_lts()).verdicts;
    for (const bool symmetry : {true, false}) {
      for (const std::size_t most : {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}) {
        CheckOptions options = sweep(symmetry, true, true, true);
        options.max_states = most;
        const CheckResult limited = checker.check(program, models, options);
        CHECK(limited.states <= most);
        CHECK(limited.complete == (limited.stopped_by == Limit::none));
        for (std::size_t m = 0; m < models.size(); ++m) {
          for (const Fairness fairness : models::kFairnesses) {
            const Verdict found = limited.verdicts[m].of(fairness);
            if (limited.complete) CHECK(found != Verdict::unknown);
            if (found != Verdict::unknown) CHECK(found == truth[m].of(fairness));
            if (!limited.complete && found == Verdict::fail) ++early_fails;
            if (!limited.complete) CHECK(found != Verdict::pass);
          }
        }
      }
    }
  }
  CHECK(early_fails > 100);
}

TEST_CASE("checker/sweep/sweep: memory and time and a wish to stop end it") {
  const Test test = lang::axb::make_family("flag-barrier", {.threads = 12});
  const lang::axb::AxbProgram program(testing::axb_code(test));
  const Models models = models::Library().standard();
  checker::Checker checker;
  for (const bool layers : {true, false}) {
    CheckOptions options;
    options.reductions.layers = layers;
    options.max_memory = std::size_t{8} << 20;
    const CheckResult by_memory = checker.check(program, models, options);
    CHECK(by_memory.stopped_by == Limit::memory);
    CHECK(by_memory.states > 10'000);
    if (layers) CHECK(by_memory.swept->memory < std::size_t{10} << 20);

    options = {};
    options.reductions.layers = layers;
    options.deadline = StopSigns::Clock::now() + std::chrono::milliseconds(20);
    CHECK(checker.check(program, models, options).stopped_by == Limit::time);

    const std::atomic<bool> stop{true};
    options.deadline.reset();
    options.stop = &stop;
    const CheckResult stopped = checker.check(program, models, options);
    CHECK(stopped.stopped_by == Limit::interrupt);
    CHECK_FALSE(stopped.complete);
    CHECK(stopped.verdicts.back() == ModelVerdict{});
  }
}

// Families -------------------------------------------------------------------------------------

// What a member expects of the six standard models.
Verdicts expected_of(const Test& test) {
  Verdicts verdicts;
  for (const ModelPtr& model : models::Library().standard()) {
    const auto expectation =
        std::find_if(test.expectations.begin(), test.expectations.end(),
                     [&](const auto& other) { return other.model == model->name(); });
    REQUIRE(expectation != test.expectations.end());
    REQUIRE_FALSE(expectation->fairness);
    const Verdict expected = verdict(expectation->passes);
    verdicts.push_back({expected, expected});
  }
  return verdicts;
}

TEST_CASE("checker/sweep/sweep: small members of all families in all ways") {
  const Pairs pairs = testing::standard_pairs();
  Comparison comparison(fast(pairs));
  for (const lang::axb::Family& family : lang::axb::families()) {
    for (int threads = family.fewest_threads; threads <= 6; ++threads) {
      for (const int groups :
           family.name == "two-level-mutex" ? std::vector{1, 2, threads} : std::vector{2}) {
        const Test test = lang::axb::make_family(family.name, {threads, groups});
        CAPTURE(test.name);
        const Verdicts expected = expected_of(test);
        comparison.run(test, expected);
        if (const auto slow = by_oracle(test, pairs, 400)) CHECK(*slow == expected);
      }
    }
  }
  CHECK(comparison.mismatches() == 0);
}

TEST_CASE("checker/sweep/sweep: large members of families have the verdicts of small ones") {
  checker::Checker checker;
  const Models models = models::Library().standard();
  const std::vector<std::pair<std::string, lang::axb::FamilyOptions>> members = {
      {"spin-mutex", {12, 2}},         {"two-level-mutex", {10, 3}}, {"increasing-chain", {14, 2}},
      {"decreasing-chain", {14, 2}},   {"token-ring", {12, 2}},      {"philosophers", {7, 2}},
      {"greedy-philosophers", {8, 2}}, {"flag-barrier", {7, 2}}};
  for (const auto& [name, options] : members) {
    const Test test = lang::axb::make_family(name, options);
    CAPTURE(test.name);
    const CheckResult result =
        checker.check(lang::axb::AxbProgram(testing::axb_code(test)), models);
    CHECK(result.swept);
    CHECK(result.verdicts == expected_of(test));
  }
}

TEST_CASE("checker/sweep/sweep: thirty-two threads that run the same code") {
  const Test test = lang::axb::make_family("spin-mutex", {.threads = 32});
  const models::Library library;
  const Models models = {library.named("unfair"), library.named("OBE"), library.named("fair")};
  checker::Checker checker;
  const CheckResult result = checker.check(lang::axb::AxbProgram(testing::axb_code(test)), models);
  REQUIRE(result.swept);
  CHECK(result.swept->words == 2);
  CHECK(result.swept->interchangeable == std::vector{ThreadSet::first(32)});
  const ModelVerdict passes{Verdict::pass, Verdict::pass};
  CHECK(result.verdicts == Verdicts{{Verdict::fail, Verdict::fail}, passes, passes});
}

}  // namespace
