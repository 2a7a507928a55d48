// What is said about how many threads must be resident.
#include "report/residency.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"

using namespace headway;
using checker::Needed;
using checker::Residency;
using checker::Verdict;
using models::Fairness;

namespace {

// Sizes from `fewest` on, each with what it needs; -1 for never.
std::vector<Residency> sizes(int fewest, const std::vector<int>& needed) {
  std::vector<Residency> result;
  for (const int resident : needed) {
    Residency size;
    size.threads = fewest++;
    size.weak = resident < 0 ? Needed{Verdict::fail, 0} : Needed{Verdict::pass, resident};
    size.strong = {Verdict::pass, 0};
    result.push_back(size);
  }
  return result;
}

std::string trend(int fewest, const std::vector<int>& needed) {
  return report::residency_trend(sizes(fewest, needed), Fairness::weak);
}

}  // namespace

TEST_CASE("report/residency: the trend says what all sizes have in common") {
  CHECK(trend(2, {0, 0, 0}) == "needs none, for N = 2..4");
  CHECK(trend(2, {2, 3, 4}) == "needs all N, for N = 2..4");
  CHECK(trend(2, {2, 2, 2}) == "needs 2, for N = 2..4");
  CHECK(trend(3, {2, 3, 4}) == "needs all N but 1, for N = 3..5");
  CHECK(trend(2, {0, 2, 3, 4}) == "from N = 3 on needs all N but 1, for N = 2..5");
  CHECK(trend(2, {0, 3}) == "follows no simple rule");
  CHECK(trend(2, {1, 3, 2, 7}) == "follows no simple rule");
  CHECK(trend(4, {3}) == "needs 3 of 4");
  CHECK(trend(4, {0}) == "needs none");
  CHECK(trend(2, {-1, -1}) ==
        "is never sure to terminate, however many are resident, for N = 2..3");
  CHECK(trend(2, {2, -1}) == "is sure to terminate for some N only");
}

TEST_CASE("report/residency: what is not known is not a number") {
  std::vector<Residency> some = sizes(2, {2, 3});
  some[1].weak = {Verdict::unknown, 0};
  CHECK(report::residency_trend(some, Fairness::weak) == "unknown");
  CHECK(report::residency_trend(some, Fairness::strong) == "needs none, for N = 2..3");
  some[0].weak = some[1].weak = {Verdict::error, 0};
  CHECK(report::residency_trend(some, Fairness::weak) == "goes wrong");
  const report::ResidencyReport report{"r", some};
  CHECK(report::residency_csv(report) ==
        "test,threads,fairness,resident\nr,2,weak,error\nr,2,strong,0\nr,3,weak,error\n"
        "r,3,strong,0\n");
  CHECK(testing::contains(report::residency_json(report), "\"weak\": \"error\""));
  CHECK(testing::contains(report::residency_json(report), "\"strong\": 0"));
}
