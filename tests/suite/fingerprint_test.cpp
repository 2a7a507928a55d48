#include "suite/fingerprint.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "suite/classification.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/random_tests.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using checker::Verdict;
using models::Reading;
using suite::Fingerprint;
using suite::SuiteOrder;
using suite::VerdictMatrix;
using testing::standard_models;

namespace {

bool separates(const VerdictMatrix& matrix, std::size_t test, const Reading& a, const Reading& b) {
  const Verdict first = matrix.verdict(test, a), second = matrix.verdict(test, b);
  return (first == Verdict::pass && second == Verdict::fail) ||
         (first == Verdict::fail && second == Verdict::pass);
}

std::set<std::pair<std::size_t, std::size_t>> separated(const VerdictMatrix& matrix,
                                                        const SuiteOrder& order,
                                                        const std::vector<std::size_t>& tests) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  const auto& readings = order.readings();
  for (std::size_t a = 0; a < readings.size(); ++a) {
    for (std::size_t b = a + 1; b < readings.size(); ++b) {
      for (const std::size_t test : tests) {
        if (separates(matrix, test, readings[a], readings[b])) pairs.emplace(a, b);
      }
    }
  }
  return pairs;
}

// By trying all sets of tests, small ones first, and among them those with preferred tests first.
std::vector<std::size_t> smallest_set(const VerdictMatrix& matrix, const SuiteOrder& order,
                                      const std::vector<lang::Test>& tests) {
  std::vector<std::size_t> all(tests.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto goal = separated(matrix, order, all);
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
    return suite::smaller(tests[a], tests[b]);
  });
  for (std::size_t size = 0;; ++size) {
    std::vector<bool> chosen(all.size());
    std::fill_n(chosen.begin(), size, true);
    do {
      std::vector<std::size_t> set;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (chosen[i]) set.push_back(all[i]);
      }
      if (separated(matrix, order, set) == goal) return set;
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }
}

}  // namespace

TEST_CASE("suite/fingerprint: no set of tests is smaller, and none of the same size comes before") {
  testing::Random random(17);
  const auto& sizes = testing::published_tests();
  for (int round = 0; round < 300; ++round) {
    std::vector<models::ModelPtr> models = standard_models();
    models.resize(static_cast<std::size_t>(2 + testing::below(random, 4)));
    const SuiteOrder order(models, {});
    std::vector<lang::Test> tests;
    VerdictMatrix matrix(models);
    for (int t = testing::below(random, 11); t > 0; --t) {
      tests.push_back(sizes[static_cast<std::size_t>(testing::below(random, 184))]);
      suite::Signature signature;
      for (std::size_t m = 0; m < models.size(); ++m) {
        const auto verdict = [&] {
          if (testing::once_in(random, 12)) return Verdict::unknown;
          return testing::once_in(random, 3) ? Verdict::pass : Verdict::fail;
        };
        const Verdict weak = verdict();
        signature.push_back({weak, verdict()});
      }
      matrix.add(signature);
    }
    const Fingerprint found = suite::fingerprint(matrix, order, tests);
    CHECK(found.complete);
    CHECK(found.tests == smallest_set(matrix, order, tests));
    std::vector<std::size_t> all(tests.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    CHECK(found.separated.size() == separated(matrix, order, all).size());
    const std::size_t readings = order.readings().size();
    CHECK(found.separated.size() + found.inseparable.size() == readings * (readings - 1) / 2);
  }
}

TEST_CASE("suite/fingerprint: five tests tell the eleven readings apart") {
  std::vector<lang::Test> tests;
  for (const auto& [threads, instructions] :
       {std::pair(2, 2), std::pair(2, 3), std::pair(2, 4), std::pair(3, 3), std::pair(3, 4)}) {
    const auto& more = testing::synthesized_tests(threads, instructions);
    tests.insert(tests.end(), more.begin(), more.end());
  }
  const VerdictMatrix matrix = suite::decide(tests, standard_models());
  const SuiteOrder order(standard_models(), tests);
  const Fingerprint found = suite::fingerprint(matrix, order, tests);
  CHECK(found.tests.size() == 5);
  CHECK(found.inseparable.empty());
  CHECK(separated(matrix, order, found.tests).size() == 55);
  // Each of the eleven has verdicts of its own.
  std::set<std::string> columns;
  for (const Reading& reading : order.readings()) {
    std::string column;
    for (const std::size_t test : found.tests) {
      column += matrix.verdict(test, reading) == Verdict::pass ? 'p' : 'f';
    }
    columns.insert(column);
  }
  CHECK(columns.size() == 11);
}

TEST_CASE("suite/fingerprint: what two threads cannot tell apart is named") {
  const auto& tests = testing::published_tests();
  const VerdictMatrix matrix = suite::decide(tests, standard_models());
  const SuiteOrder order(standard_models(), tests);
  const Fingerprint found = suite::fingerprint(matrix, order, tests);
  REQUIRE(found.inseparable.size() == 2);
  for (const auto& [a, b] : found.inseparable) {
    CHECK(matrix.models()[a.model]->name() == "HSA+OBE");
    CHECK(matrix.models()[b.model]->name() == "LOBE");
    CHECK(order.equal(a, b));
  }
}

TEST_CASE("suite/fingerprint: no tests separate nothing, and an interruption gives no answer") {
  const VerdictMatrix none(standard_models());
  const SuiteOrder order(standard_models(), {});
  const Fingerprint empty = suite::fingerprint(none, order, {});
  CHECK(empty.complete);
  CHECK(empty.tests.empty());
  CHECK(empty.inseparable.size() == 55);

  const auto& tests = testing::published_tests();
  const VerdictMatrix matrix = suite::decide(tests, standard_models());
  const std::atomic<bool> stop{true};
  const Fingerprint stopped = suite::fingerprint(matrix, order, tests, &stop);
  CHECK_FALSE(stopped.complete);
  CHECK(stopped.tests.empty());
}
