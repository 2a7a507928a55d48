#include "suite/suite_order.hpp"

#include <doctest/doctest.h>

#include "languages/languages.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using models::Fairness;
using models::Reading;
using suite::SuiteOrder;
using testing::standard_models;

namespace {

// Readings of the standard models.
constexpr Reading kUnfair{0, Fairness::weak}, kHsa{1, Fairness::weak}, kHsaObe{3, Fairness::weak},
    kHsaObeStrong{3, Fairness::strong}, kLobe{4, Fairness::weak}, kFair{5, Fairness::weak};

std::vector<lang::Test> tests_with_threads(const std::vector<int>& counts) {
  std::vector<lang::Test> tests;
  for (const int count : counts) {
    std::string text = "locations m;";
    for (int t = 0; t < count; ++t) text += " thread " + std::to_string(t) + " { m = 1; }";
    tests.push_back(lang::parse(text, "t"));
  }
  return tests;
}

}  // namespace

TEST_CASE("suite/suite_order: six models have eleven readings, unfair one of them") {
  const SuiteOrder order(standard_models(), {});
  CHECK(order.readings().size() == 11);
  CHECK(order.threads() == std::vector<int>{3});
  CHECK(order.name(kUnfair) == "unfair");
  CHECK(order.name(kHsa) == "HSA:weak");
  CHECK(order.name(kHsaObeStrong) == "HSA+OBE:strong");
}

TEST_CASE(
    "suite/suite_order: it is the order of all numbers of threads that tests of the suite have") {
  const SuiteOrder two(standard_models(), tests_with_threads({2, 2}));
  CHECK(two.threads() == std::vector<int>{2});
  CHECK(two.equal(kHsaObe, kLobe));
  const SuiteOrder both(standard_models(), tests_with_threads({3, 2}));
  CHECK(both.threads() == std::vector<int>{2, 3});
  CHECK(both.below(kHsaObe, kLobe));
  CHECK(both.below(kUnfair, kFair));
  CHECK(both.below(kHsaObe, kHsaObeStrong));
  CHECK_FALSE(both.at_most(kHsaObeStrong, kLobe));
}

TEST_CASE("suite/suite_order: more threads than the order can be decided for count as that many") {
  const auto models = std::vector{standard_models()[0], standard_models()[5]};
  const SuiteOrder order(models, tests_with_threads({16, 2}));
  CHECK(order.threads() == std::vector<int>{2, models::kMaxOrderThreads});
}
