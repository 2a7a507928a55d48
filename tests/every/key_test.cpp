// Places and contents of registers are told apart by keys. Of the places of one family as many
// shares, own variables and registers are known, so that each key is that of one place.
#include <doctest/doctest.h>

#include <set>

#include "every/counted_graph.hpp"
#include "every/position_space.hpp"

using namespace headway::every;

namespace {

// All that registers may hold, within small numbers.
std::vector<Content> contents() {
  std::vector<std::optional<InN>> bounds = {std::nullopt};
  for (const std::int64_t constant : {0, 1}) {
    for (const std::int64_t by_n : {0, 1}) bounds.push_back(InN{constant, by_n});
  }
  std::vector<Content> result;
  for (const bool is_number : {false, true}) {
    for (const std::int64_t number : {0, 1}) {
      for (const int counter : {-1, 0, 1}) {
        for (const auto& low : bounds) {
          for (const auto& high : bounds) {
            result.push_back({is_number, number, counter, low, high});
          }
        }
      }
    }
  }
  return result;
}

std::vector<Between> betweens() {
  using Bound = std::optional<std::int64_t>;
  const std::vector<Bound> bounds = {std::nullopt, 0, 1};
  std::vector<Between> result;
  for (const bool is_number : {false, true}) {
    for (const std::int64_t number : {0, 1}) {
      for (const Bound& a : bounds) {
        for (const Bound& b : bounds) {
          for (const Bound& c : bounds) {
            for (const Bound& d : bounds) {
              for (const Bound& e : bounds) result.push_back({is_number, number, a, b, c, d, e});
            }
          }
        }
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("every/key: places of threads that are counted have keys of their own") {
  const std::vector<Content> all = contents();
  std::set<std::vector<std::int64_t>> keys;
  std::size_t places = 0;
  for (const auto stage : {CountedPlace::Stage::fresh, CountedPlace::Stage::running}) {
    for (const int at : {0, 1}) {
      for (const int share : {0, 1}) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          for (std::size_t j = i % 7; j < all.size(); j += 7) {
            keys.insert(CountedPlace{stage, 1, at, {all[i], all[j]}, {share, 1}}.key());
            ++places;
          }
        }
      }
    }
  }
  CHECK(keys.size() == places);
  CHECK(places > 50'000);
}

TEST_CASE("every/key: places of threads in a row have keys of their own") {
  const std::vector<Between> all = betweens();
  std::set<std::vector<std::int64_t>> keys;
  std::size_t places = 0;
  const std::vector<std::vector<std::int64_t>> guarded = {{}, {0}, {1}, {0, 0}, {0, 1}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i % 31; j < all.size(); j += 31) {
      for (const auto& held : guarded) {
        PositionPlace place;
        place.at = 1;
        place.registers = {all[i], all[j]};
        place.own = {1};
        place.guarded = held;
        keys.insert(place.key());
        ++places;
      }
    }
  }
  CHECK(keys.size() == places);
  CHECK(places > 100'000);
}
