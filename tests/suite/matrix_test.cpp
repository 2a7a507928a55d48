#include "suite/matrix.hpp"

#include <doctest/doctest.h>

#include <map>

#include "lang/axb/program.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/models.hpp"

using namespace headway;
using checker::Verdict;
using suite::VerdictMatrix;
using testing::standard_models;

namespace {

std::size_t number_of(const std::vector<models::ModelPtr>& models, const std::string& name) {
  std::size_t m = 0;
  while (models.at(m)->name() != name) ++m;
  return m;
}

}  // namespace

TEST_CASE("suite/matrix: the matrix of the published tests is the published table") {
  const auto& tests = testing::published_tests();
  const VerdictMatrix matrix = suite::decide(tests, standard_models());
  REQUIRE(matrix.tests() == tests.size());
  std::map<std::string, std::size_t> row;
  for (std::size_t t = 0; t < tests.size(); ++t) row[tests[t].name] = t;
  for (const auto& published : testing::published_verdicts()) {
    const models::Reading reading{number_of(matrix.models(), published.model), published.fairness};
    CAPTURE(published.test);
    CHECK((matrix.verdict(row.at(published.test), reading) == Verdict::pass) == published.passes);
  }
  CHECK(matrix.undecided() == 0);
}

TEST_CASE("suite/matrix: tests share a signature exactly when all their verdicts are equal") {
  const auto& tests = testing::published_tests();
  const auto models = standard_models();
  const VerdictMatrix matrix = suite::decide(tests, models);
  checker::Checker checker;
  std::map<std::string, std::uint32_t> known;
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const auto result = checker.check(lang::axb::AxbProgram(testing::axb_code(tests[t])), models);
    CHECK(matrix.verdicts(t) == result.verdicts);
    const auto [entry, is_new] =
        known.try_emplace(suite::to_string(result.verdicts), matrix.signature_of(t));
    CHECK(entry->second == matrix.signature_of(t));
    // Signatures are numbered in the order of their first test.
    if (is_new) CHECK(matrix.signature_of(t) + 1 == known.size());
  }
  CHECK(matrix.signatures().size() == known.size());
}

TEST_CASE("suite/matrix: a signature as text says weak and strong, model after model") {
  CHECK(suite::to_string({{Verdict::pass, Verdict::pass},
                          {Verdict::fail, Verdict::pass},
                          {Verdict::fail, Verdict::fail},
                          {}}) == "ppfpff??");
  CHECK(suite::to_string({}).empty());
}

TEST_CASE("suite/matrix: what a limit or a stop leaves open is unknown and counted") {
  const auto& tests = testing::published_tests();
  suite::DecideOptions options;
  options.max_states = 8;
  const VerdictMatrix limited = suite::decide(tests, standard_models(), options);
  CHECK(limited.tests() == tests.size());
  CHECK(limited.undecided() > 0);
  CHECK(limited.undecided() < tests.size());
  std::size_t open = 0;
  for (std::size_t t = 0; t < tests.size(); ++t)
    open += suite::is_decided(limited.verdicts(t)) ? 0 : 1;
  CHECK(open == limited.undecided());

  const std::atomic<bool> stop{true};
  const VerdictMatrix stopped = suite::decide(tests, standard_models(), {1000, &stop, nullptr});
  CHECK(stopped.undecided() == tests.size());
}

TEST_CASE("suite/matrix: no tests and no models are fine") {
  CHECK(suite::decide({}, standard_models()).tests() == 0);
  CHECK(suite::decide({}, standard_models()).signatures().empty());
  const VerdictMatrix matrix = suite::decide(testing::published_tests(), {});
  CHECK(matrix.signatures().size() == 1);
  CHECK(matrix.undecided() == 0);
}
