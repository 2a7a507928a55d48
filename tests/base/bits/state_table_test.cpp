#include "base/bits/state_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

using headway::StateTable;

namespace {

using Key = std::vector<std::uint64_t>;

// Keys from a range that is small enough for many of them to come again.
Key random_key(std::mt19937_64& random, std::size_t stride, std::uint64_t range) {
  Key key(stride);
  // All words but one are the same for many keys, as states are.
  for (std::uint64_t& word : key) word = 0x5555;
  key[random() % stride] = random() % range << (random() % 2 * 40);
  return key;
}

void agree_with_map(StateTable& table, std::size_t stride, int rounds, std::uint64_t range) {
  std::mt19937_64 random(stride * 1000 + range);
  std::map<Key, std::uint32_t> known;
  std::vector<std::uint64_t> states;
  for (int i = 0; i < rounds; ++i) {
    const Key key = random_key(random, stride, range);
    const auto expected = known.emplace(key, static_cast<std::uint32_t>(known.size())).first;
    REQUIRE(table.find_or_add(key.data(), states) == expected->second);
    REQUIRE(table.size() == known.size());
    REQUIRE(states.size() == known.size() * stride);
  }
  for (const auto& [key, number] : known) {
    CHECK(std::equal(key.begin(), key.end(), states.begin() + number * stride));
  }
}

}  // namespace

TEST_CASE("base/bits/state_table: numbers agree with those of a map") {
  for (const std::size_t stride : {1, 2, 3, 5, 17}) {
    CAPTURE(stride);
    StateTable table(stride);
    agree_with_map(table, stride, 20'000, 5'000);
  }
}

TEST_CASE("base/bits/state_table: a cleared table starts again and with another stride if asked") {
  StateTable table;
  // Large first, so that clearing both frees (many slots) and keeps (few slots) what it has.
  agree_with_map(table, 1, 30'000, 1 << 20);
  for (const std::size_t stride : {4, 1, 2}) {
    table.clear(stride);
    CHECK(table.size() == 0);
    agree_with_map(table, stride, 300, 100);
  }
}

TEST_CASE("base/bits/state_table: keys of zeros and of ones are keys like all others") {
  StateTable table(2);
  std::vector<std::uint64_t> states;
  const Key zeros = {0, 0};
  const Key ones = {~std::uint64_t{0}, ~std::uint64_t{0}};
  CHECK(table.find_or_add(zeros.data(), states) == 0);
  CHECK(table.find_or_add(ones.data(), states) == 1);
  CHECK(table.find_or_add(zeros.data(), states) == 0);
  CHECK(table.find_or_add(ones.data(), states) == 1);
}
