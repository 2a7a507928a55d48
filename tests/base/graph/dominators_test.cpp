// Closest dominators are what deleting nodes says: a dominates b where b cannot be reached without.
#include "base/graph/dominators.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

using namespace headway;
using Digraph = std::vector<std::vector<std::uint32_t>>;

std::vector<bool> reached(const Digraph& after, std::uint32_t first, std::uint32_t without) {
  std::vector<bool> result(after.size());
  if (first == without) return result;
  std::vector<std::uint32_t> stack = {first};
  result[first] = true;
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    for (const std::uint32_t to : after[at]) {
      if (to == without || result[to]) continue;
      result[to] = true;
      stack.push_back(to);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("base/graph/dominators: a node dominates what cannot be reached without it") {
  std::mt19937 random(20261123);
  int strict = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t size = 1 + random() % 12;
    Digraph after(size);
    for (std::uint32_t edge = random() % (2 * size); edge > 0; --edge) {
      after[random() % size].push_back(random() % size);
    }
    const std::vector<std::uint32_t> closest = closest_dominators(0, after);
    const std::vector<bool> all = reached(after, 0, size);
    CHECK(closest[0] == 0);
    for (std::uint32_t b = 1; b < size; ++b) {
      if (!all[b]) {
        CHECK(closest[b] == kNotReached);
        continue;
      }
      // The closest one dominates it, and all others that do dominate the closest one.
      const std::uint32_t up = closest[b];
      REQUIRE(up < size);
      CHECK_FALSE(reached(after, 0, up)[b]);
      for (std::uint32_t a = 0; a < size; ++a) {
        if (a == b || a == up || reached(after, 0, a)[b]) continue;
        CHECK_FALSE(reached(after, 0, a)[up]);
        ++strict;
      }
    }
  }
  CHECK(strict > 100);
}

TEST_CASE("base/graph/dominators: long chains take one round") {
  constexpr std::uint32_t kNodes = 200'000;
  Digraph after(kNodes);
  for (std::uint32_t n = 0; n + 1 < kNodes; ++n) after[n] = {n + 1};
  const std::vector<std::uint32_t> closest = closest_dominators(0, after);
  CHECK(closest[kNodes - 1] == kNodes - 2);
}
