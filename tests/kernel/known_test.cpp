// Sets of accesses, held equal to std::set.
#include "kernel/machine/known.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

using headway::kernel::Known;

TEST_CASE("kernel/known: sets of accesses are sets, below 64 and beyond, shared or not") {
  std::mt19937 random(7);
  std::vector<Known> some(8);
  std::vector<std::set<std::uint32_t>> same(8);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t a = random() % 8;
    const std::size_t b = random() % 8;
    const auto number = static_cast<std::uint32_t>(random() % (round % 2 == 0 ? 70 : 1000));
    switch (random() % 8) {
      case 0:
        some[a] = some[b];
        same[a] = same[b];
        break;
      case 1:
        some[a].join(some[b]);
        same[a].insert(same[b].begin(), same[b].end());
        break;
      case 2:
        some[a] = {};
        same[a] = {};
        break;
      default:
        some[a].insert(number);
        same[a].insert(number);
    }
    std::set<std::uint32_t> all;
    some[a].for_each([&](std::uint32_t one) { all.insert(one); });
    REQUIRE(all == same[a]);
    CHECK(some[a].contains(number) == same[a].contains(number));
    CHECK(some[a].includes(some[b]) ==
          std::includes(same[a].begin(), same[a].end(), same[b].begin(), same[b].end()));
  }
}
