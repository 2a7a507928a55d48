// Answers for every N against runs of fixed N, on random families. HEADWAY_FAMILIES says how many,
// HEADWAY_FIRST_FAMILY from which on, to go on where an earlier run has ended, and
// HEADWAY_MOST_THREADS up to which N.
#include <doctest/doctest.h>

#include <cstdlib>

#include "checker/check.hpp"
#include "every/decide.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/budget.hpp"
#include "support/random_families.hpp"

using namespace headway;
using checker::Verdict;
using every::Answer;
using every::FamilyAnswer;
using every::Reading;
using models::Fairness;

namespace {

constexpr std::size_t kMostStates = 20'000;

int families() { return testing::wished("HEADWAY_FAMILIES", testing::budget(250)); }
int first_family() { return testing::wished("HEADWAY_FIRST_FAMILY", 0); }

std::vector<Reading> all_readings() {
  std::vector<Reading> readings;
  for (const every::Promise promise : every::kPromises) {
    for (const Fairness fairness : models::kFairnesses) readings.push_back({promise, fairness});
  }
  return readings;
}

struct Counts {
  int passes = 0, proved = 0;  // of the cells that pass for all N that were run
  int from = 0, at = 0, wrong = 0, by_row = 0, by_counts = 0;
};

// What an answer says of a number of threads; nothing where it says nothing.
std::optional<Verdict> said(const Answer& answer, int n) {
  switch (answer.kind) {
    case Answer::Kind::pass:
      return Verdict::pass;
    case Answer::Kind::fail_from:
      return n >= answer.n ? Verdict::fail : Verdict::pass;
    case Answer::Kind::fail_at:
      if (n > answer.n) return std::nullopt;
      return n == answer.n ? Verdict::fail : Verdict::pass;
    case Answer::Kind::error_from:
      return n >= answer.n ? Verdict::error : Verdict::pass;
    case Answer::Kind::error_at:
      if (n > answer.n) return std::nullopt;
      return n == answer.n ? Verdict::error : Verdict::pass;
    case Answer::Kind::unknown:
      break;
  }
  if (n <= answer.passes_to) return Verdict::pass;
  return std::nullopt;
}

void hold_against_runs(const FamilyAnswer& family, const std::string& text, Counts& counts,
                       int group = 1) {
  const models::Library library;
  checker::Checker checker;
  std::vector<bool> passes(family.answers.size(), true);
  const lang::Sizes sizes{1, testing::wished("HEADWAY_MOST_THREADS", 5)};
  for (const lang::Test& test : lang::parse_all(text, "random", sizes)) {
    const int n = test.thread_count() / group;
    if (n < family.smallest) continue;
    const auto program = lang::make_program(test);
    const auto checked = checker.check(*program, library.standard(), {kMostStates});
    if (!checked.complete) break;
    if (family.safe) CHECK(!checked.error);
    if (family.wrong_from_then_on) CHECK(checked.error.has_value() == (n >= family.wrong_from));
    for (std::size_t a = 0; a < family.answers.size(); ++a) {
      const Answer& answer = family.answers[a];
      const Verdict verdict = checked.verdicts[a / 2].of(answer.reading.fairness);
      passes[a] = passes[a] && verdict == Verdict::pass;
      const auto expected = said(answer, n);
      // Something may go wrong besides what never ends.
      if (!expected || (*expected == Verdict::fail && verdict == Verdict::error)) continue;
      CAPTURE(n);
      CAPTURE(answer.reading.to_string());
      CAPTURE(answer.to_string());
      CHECK(checker::to_string(*expected) == checker::to_string(verdict));
    }
  }
  for (std::size_t a = 0; a < family.answers.size(); ++a) {
    const Answer& answer = family.answers[a];
    counts.passes += passes[a];
    counts.proved += passes[a] && answer.kind == Answer::Kind::pass;
    if (answer.kind == Answer::Kind::pass) {
      counts.by_row += answer.certificate->row.has_value();
      const auto& counted = answer.certificate->counted;
      counts.by_counts += counted && counted->symbolic;
    }
    counts.from += answer.kind == Answer::Kind::fail_from;
    counts.at += answer.kind == Answer::Kind::fail_at;
  }
  counts.wrong += family.wrong.has_value();
}

// Of random families, one in `part` of as many as are wanted.
Counts counts_of(std::uint32_t seed, int part, every::EveryOptions options,
                 std::string (*make)(testing::Random&)) {
  testing::Random random(seed);
  Counts counts;
  options.max_states = kMostStates;
  for (int i = 0; i < families() / part; ++i) {
    const std::string text = make(random);
    if (i < first_family() / part) continue;
    CAPTURE(text);
    hold_against_runs(every::decide_every(text, "random", all_readings(), options), text, counts);
  }
  return counts;
}

}  // namespace

TEST_CASE("every/random: no answer for every N is contradicted by a run of fixed N") {
  every::EveryOptions options;
  options.most_threads = 4;
  options.max_abstract = 2000;
  const Counts counts = counts_of(20'261'122, 1, options, testing::random_family);
  MESSAGE(counts.proved << " of " << counts.passes << " passes proved, " << counts.from
                        << " thresholds, " << counts.at << " fails at one N, " << counts.wrong
                        << " families that go wrong");
  CHECK(counts.proved * 10 >= counts.passes * 9);
  CHECK(counts.from > 1000);
  CHECK(counts.wrong * 20 > families() - first_family());
}

TEST_CASE("every/random: nor is one where N and ids are looked at") {
  every::EveryOptions options;
  options.most_threads = 3;
  options.max_abstract = 4000;
  const Counts counts = counts_of(20'261'123, 4, options, testing::random_parametric_family);
  MESSAGE(counts.proved << " of " << counts.passes << " passes proved, " << counts.by_row
                        << " of threads in a row, " << counts.by_counts << " by counts, "
                        << counts.from << " thresholds, " << counts.at << " fails at one N, "
                        << counts.wrong << " families that go wrong");
  CHECK(counts.by_row > 50);
  CHECK(counts.by_counts > 50);
}

TEST_CASE("every/random: nor is one where ids are compared with numbers") {
  every::EveryOptions options;
  options.most_threads = 4;
  options.max_abstract = 2000;
  const Counts counts = counts_of(20'261'124, 4, options, testing::random_family_by_id);
  MESSAGE(counts.proved << " of " << counts.passes << " passes proved, " << counts.from
                        << " thresholds, " << counts.at << " fails at one N, " << counts.wrong
                        << " families that go wrong");
  CHECK(counts.proved * 10 >= counts.passes * 9);
}

TEST_CASE("every/random: nor is one of workgroups of two threads") {
  every::EveryOptions options;
  options.most_threads = 2;
  options.max_abstract = 2000;
  options.max_states = kMostStates;
  testing::Random random(20'261'125);
  Counts counts;
  int single = 0;
  for (int i = 0; i < families() / 4; ++i) {
    std::string text = testing::random_family_by_id(random);
    if (i < first_family() / 4) continue;
    text.insert(text.find("N = ") + text.substr(text.find("N = ")).find(';') + 1,
                "\nN workgroups of 2 threads;");
    CAPTURE(text);
    try {
      const FamilyAnswer family = every::decide_every(text, "random", all_readings(), options);
      hold_against_runs(family, text, counts, 2);
    } catch (const Error&) {  // a block that ends at N - 1
      ++single;
    }
  }
  MESSAGE(counts.proved << " of " << counts.passes << " passes proved, " << counts.from
                        << " thresholds, " << counts.at << " fails at one N, " << counts.wrong
                        << " families that go wrong, " << single << " of single threads");
  CHECK(counts.proved > 150);
  CHECK(counts.from > 200);
}
