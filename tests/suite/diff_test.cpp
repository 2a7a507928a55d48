#include "suite/diff.hpp"

#include <doctest/doctest.h>

#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/files.hpp"
#include "support/flags.hpp"

using namespace headway;
using suite::Difference;
using testing::kDown;
using testing::kUp;
using Kind = suite::Difference::Kind;

namespace {

const std::string kUpRenamed =
    "locations g; thread 0 { g = 1; } thread 1 { while (Load(g) == 0); } ";
const std::string kDownLong =
    "locations f, g; thread 0 { while (Load(f) == 0); g = 1; } thread 1 { f = 1; } ";

suite::Suite suite_of(const std::vector<std::pair<std::string, std::string>>& tests) {
  suite::Suite suite;
  suite.files = {"f"};
  for (const auto& [name, text] : tests) {
    suite.tests.push_back(lang::parse(text, "f"));
    suite.tests.back().name = name;
    suite.file_of.push_back(0);
  }
  return suite;
}

suite::SuiteDiff diff(const suite::Suite& a, const suite::Suite& b) {
  const auto models = models::Library().standard();
  return suite::diff(a, suite::decide(a.tests, models), b, suite::decide(b.tests, models));
}

}  // namespace

TEST_CASE("suite/diff: the same programs under other names are no difference") {
  const auto result =
      diff(suite_of({{"a", kUp}, {"b", kDown}}), suite_of({{"other", kDown}, {"a", kUpRenamed}}));
  CHECK(result.differences.empty());
  CHECK(result.in_both == 2);
  CHECK(result.renamed == 1);
}

TEST_CASE("suite/diff: programs of one suite alone are named") {
  const auto result = diff(suite_of({{"a", kUp}}), suite_of({{"b", kDown}}));
  REQUIRE(result.differences.size() == 2);
  CHECK(result.differences[0].kind == Kind::only_a);
  CHECK(result.differences[0].a == 0);
  CHECK_FALSE(result.differences[0].b);
  CHECK(result.differences[1].kind == Kind::only_b);
  CHECK(result.differences[1].b == 0);
  CHECK(result.in_both == 0);
}

TEST_CASE("suite/diff: a name for another program shows the verdicts that changed") {
  const auto result = diff(suite_of({{"a", kUp}}), suite_of({{"a", kDown}}));
  REQUIRE(result.differences.size() == 1);
  CHECK(result.differences[0].kind == Kind::changed);
  // The consumer with the higher id passes HSA, HSA+OBE and LOBE, the other way round it does not.
  CHECK(result.differences[0].verdicts.size() == 6);
  for (const suite::Change& change : result.differences[0].verdicts) {
    CHECK(change.a == checker::Verdict::pass);
    CHECK(change.b == checker::Verdict::fail);
  }
  const auto same_verdicts = diff(suite_of({{"a", kDown}}), suite_of({{"a", kDownLong}}));
  REQUIRE(same_verdicts.differences.size() == 1);
  CHECK(same_verdicts.differences[0].kind == Kind::changed);
  CHECK(same_verdicts.differences[0].verdicts.empty());
}

TEST_CASE("suite/diff: opposite expectations are a difference, missing ones are not") {
  const auto a = suite_of({{"a", kUp + "expect { pass HSA, OBE:strong; fail unfair; }"}});
  const auto b = suite_of({{"b", kUpRenamed + "expect { fail HSA:weak, OBE; pass fair; }"}});
  const auto result = diff(a, b);
  REQUIRE(result.differences.size() == 1);
  CHECK(result.differences[0].kind == Kind::expectations);
  CHECK(result.differences[0].expectations ==
        std::vector<std::string>{"HSA:weak pass -> fail", "OBE:strong pass -> fail"});
  CHECK(diff(a, suite_of({{"b", kUp}})).differences.empty());
}

TEST_CASE("suite/diff: names that were swapped are no change") {
  const auto result =
      diff(suite_of({{"a", kUp}, {"b", kDown}}), suite_of({{"a", kDown}, {"b", kUp}}));
  CHECK(result.differences.empty());
  CHECK(result.renamed == 2);
}

TEST_CASE("suite/diff: a program that a suite has several times is there") {
  const auto result =
      diff(suite_of({{"a", kUp}, {"b", kUpRenamed}, {"c", kDown}}), suite_of({{"b", kUp}}));
  REQUIRE(result.differences.size() == 1);
  CHECK(result.differences[0].kind == Kind::only_a);
  CHECK(result.differences[0].a == 2);
  CHECK(result.in_both == 2);
  CHECK(result.renamed == 1);
}

TEST_CASE("suite/diff: empty suites do not differ, and everything differs from one") {
  CHECK(diff(suite_of({}), suite_of({})).differences.empty());
  CHECK(diff(suite_of({}), suite_of({{"a", kUp}})).differences.size() == 1);
}
