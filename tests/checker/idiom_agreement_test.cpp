// Programs of the idiom language: the checker against an interpreter that walks the syntax tree, on
// random programs; and AXB tests against themselves, written in the idiom language.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.hpp"
#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "lang/idiom/parser.hpp"
#include "lang/idiom/program.hpp"
#include "languages/languages.hpp"
#include "oracle/idiom_oracle.hpp"
#include "support/axb.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "support/model_pairs.hpp"
#include "support/random_idioms.hpp"

using namespace headway;
using checker::CheckOptions;
using checker::CheckResult;
using checker::Verdict;
using models::Fairness;
using testing::Pair;
using testing::Pairs;

namespace {

constexpr std::size_t kMostStates = 700;  // of a random program, in the oracle

struct Way {
  std::string name;
  CheckOptions options;
};

// The whole LTS, and sweeps with every reduction and without.
std::vector<Way> ways() {
  std::vector<Way> result(4);
  result[0].name = "whole";
  result[0].options.reductions.layers = false;
  result[1].name = "sweep";
  result[2].name = "sweep without symmetry";
  result[2].options.reductions.symmetry = false;
  result[3].name = "sweep without symmetry and sleep sets";
  result[3].options.reductions.symmetry = false;
  result[3].options.reductions.sleep_sets = false;
  for (std::size_t w = 1; w < result.size(); ++w) result[w].options.small = 1;
  return result;
}

lang::idiom::Syntax parse_syntax(const std::string& text) {
  Scanner scanner(text, "random");
  return lang::idiom::parse(scanner, text, "random");
}

struct Tally {
  int pass = 0, fail = 0, error = 0, skipped = 0;  // verdicts, and programs
  int programs = 0;
};

// Compares the verdicts on a program with those of the oracle.
void compare(const std::string& text, int threads, const Pairs& pairs, Tally& tally,
             std::size_t most_states = kMostStates) {
  const lang::idiom::Syntax syntax = parse_syntax(text);
  const oracle::IdiomOracle interpreter(syntax, threads);
  const oracle::Behaviour behaviour = interpreter.behaviour();
  std::vector<std::optional<oracle::Lts>> spaces;
  std::vector<models::ModelPtr> models;
  bool error = false;
  for (const Pair& pair : pairs) {
    spaces.push_back(oracle::explore(behaviour, pair.slow, most_states));
    if (!spaces.back()) {
      ++tally.skipped;
      return;
    }
    models.push_back(pair.fast);
    error = error || oracle::goes_wrong(*spaces.back());
  }
  const lang::Test test = lang::parse(text, "random");
  const auto program = lang::make_program(test);
  checker::Checker checker;
  for (const Way& way : ways()) {
    const CheckResult result = checker.check(*program, models, way.options);
    CAPTURE(text);
    CAPTURE(way.name);
    REQUIRE(result.complete);
    CHECK(result.error.has_value() == error);
    if (result.error && error) {  // the trace goes wrong at its end, and not before
      std::vector<lang::Word> state(static_cast<std::size_t>(program->words())), next = state;
      program->initial(state.data());
      REQUIRE(!result.error->steps.empty());
      for (const lang::Step& step : result.error->steps) {
        CHECK(program->failed(state.data()).empty());
        program->step(state.data(), step, next.data());
        state.swap(next);
      }
      CHECK(!program->failed(state.data()).empty());
    }
    for (std::size_t m = 0; m < pairs.size(); ++m) {
      for (const Fairness fairness : models::kFairnesses) {
        CAPTURE(models[m]->name());
        const Verdict expected = error                                  ? Verdict::error
                                 : oracle::passes(*spaces[m], fairness) ? Verdict::pass
                                                                        : Verdict::fail;
        CHECK(to_string(result.verdicts[m].of(fairness)) == to_string(expected));
        ++(expected == Verdict::error  ? tally.error
           : expected == Verdict::pass ? tally.pass
                                       : tally.fail);
      }
    }
    // By itself a model may look at less of the history.
    const std::size_t m = static_cast<std::size_t>(tally.programs++) % pairs.size();
    const CheckResult alone = checker.check(*program, {&models[m], 1}, way.options);
    CHECK(alone.verdicts.front() == result.verdicts[m]);
  }
}

}  // namespace

TEST_CASE("checker/idiom_agreement: random programs have the verdicts of an interpreter") {
  testing::Random random(20260714);
  const Pairs pairs = testing::standard_pairs();
  Tally tally;
  for (int i = 0; i < testing::budget(500); ++i) {
    const int threads = i % 3 == 0 ? 3 : 2;
    compare(testing::random_idiom(random, threads), threads, pairs, tally);
  }
  CHECK(tally.pass > 1000);
  CHECK(tally.fail > 1000);
  CHECK(tally.error > 1000);
  CHECK(tally.skipped < testing::budget(250));
}

TEST_CASE("checker/idiom_agreement: random programs under models whose F is anything") {
  testing::Random random(7);
  const Pairs pairs = testing::random_pairs() + testing::changing_pairs();
  Tally tally;
  for (int i = 0; i < testing::budget(80); ++i)
    compare(testing::random_idiom(random, 2), 2, pairs, tally);
  CHECK(tally.pass > 100);
  CHECK(tally.fail > 100);
}

TEST_CASE("checker/idiom_agreement: the library has the verdicts of an interpreter") {
  Tally tally;
  int programs = 0;
  for (const char* folder : {"litmus/idioms", "tests/data/broken"}) {
    for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / folder)) {
      const std::string text = read_file(entry.path());
      const std::size_t sizes = text.find("\nN = ") + 1;
      const std::size_t end = text.find(';', sizes);
      for (const int threads : {2, 3}) {
        std::string member = text;
        member.replace(sizes, end - sizes, "N = " + std::to_string(threads));
        compare(member, threads, testing::standard_pairs(), tally, oracle::kMaxStates);
        ++programs;
      }
    }
  }
  CHECK(programs > 70);
  CHECK(2 * tally.skipped < programs);  // too large for the oracle
  CHECK(tally.pass > 500);
  CHECK(tally.fail > 500);
  CHECK(tally.error > 100);
}

TEST_CASE(
    "checker/idiom_agreement: a thread with too many local states for tables is decided all the "
    "same") {
  const auto decide = [](const std::string& body) {
    const lang::Test test = lang::parse(
        "shared bool x; thread 0 { int(0..30000) i;\n" + body + "}\nthread 1 { store(x, 1); }",
        "large");
    const auto program = lang::make_program(test);
    CHECK(!program->step_tables());
    checker::Checker checker;
    return checker.check(*program, models::Library().standard());
  };
  const CheckResult ends = decide("for (i = 0; i < 30000; i++) load(x);");
  REQUIRE(ends.swept);
  CHECK(ends.swept->no_tables == "thread 0 has more than 20000 local states");
  CHECK(ends.states > 60'000);
  for (const auto& verdict : ends.verdicts) CHECK(verdict.weak == Verdict::pass);
  const CheckResult wrong = decide("while (i < 30000) { load(x); i++; } assert(load(x));");
  REQUIRE(wrong.error);
  CHECK(wrong.error->steps.size() == 30'001);
  CHECK(wrong.verdicts.front().strong == Verdict::error);
}

TEST_CASE("checker/idiom_agreement: limits hold for the search for local states, too") {
  const lang::Test test = lang::parse(
      "idiom big N = 30; shared int(0..600) x[N]; threads { int(0..600) i = 0; int(0..30) k = 0;"
      "  while (i < 600) { store(x[tid], i); i = load(x[tid]) + 1; k = (k + 1) % 31;"
      "    store(x[(tid + k) % N], k); } }",
      "large");
  const auto program = lang::make_program(test);
  checker::Checker checker;
  checker::CheckOptions late;
  late.deadline = StopSigns::Clock::now() + std::chrono::milliseconds(100);
  const auto start = StopSigns::Clock::now();
  const CheckResult stopped = checker.check(*program, models::Library().standard(), late);
  CHECK(StopSigns::Clock::now() - start < std::chrono::seconds(20));
  CHECK(stopped.stopped_by == Limit::time);
  checker::CheckOptions small;
  small.max_memory = std::size_t{20} << 20;
  small.max_states = 30'000;
  const CheckResult swept = checker.check(*program, models::Library().standard(), small);
  REQUIRE(swept.swept);
  CHECK(swept.swept->no_tables == "they would take too much memory");
  CHECK(!swept.complete);
}

TEST_CASE("checker/idiom_agreement: an AXB test in the idiom language is the same test") {
  testing::Random random(3);
  std::vector<lang::Test> tests = testing::published_tests();
  for (int i = 0; i < testing::budget(100); ++i) {
    lang::Test test = testing::random_test(random);
    if (test.thread_count() <= 3 && test.instruction_count() <= 30 &&
        testing::axb_code(test).values <= 10) {
      tests.push_back(std::move(test));
    }
  }
  REQUIRE(tests.size() > 220);
  const std::vector<models::ModelPtr> models = models::Library().standard();
  checker::Checker checker;
  for (const lang::Test& test : tests) {
    const std::string text = testing::as_idiom(test);
    CAPTURE(text);
    const lang::Test translated = lang::parse(text, "translated");
    const lang::axb::AxbProgram axb(testing::axb_code(test));
    const auto program = lang::make_program(translated);
    for (const Way& way : ways()) {
      const CheckResult expected = checker.check(axb, models, way.options);
      const CheckResult found = checker.check(*program, models, way.options);
      CHECK(found.verdicts == expected.verdicts);
      if (way.name == "whole") {
        CHECK(found.states == expected.states);
        CHECK(found.transitions == expected.transitions);
      }
    }
  }
}
