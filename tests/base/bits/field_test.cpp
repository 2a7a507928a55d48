#include "base/bits/field.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using headway::Field;
using headway::FieldAllotter;

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

// The bits of its word that are the field's own.
std::uint64_t bits_of(const Field& field) { return field.mask << field.shift; }

}  // namespace

TEST_CASE("base/bits/field: fields do not overlap, fit their words and hold their highest value") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 500; ++round) {
    const int reserved = static_cast<int>(random() % 65);
    FieldAllotter allotter(reserved);
    std::vector<Field> fields;
    std::vector<std::uint64_t> highest;
    const std::size_t count = random() % 30;
    for (std::size_t i = 0; i < count; ++i) {
      // Of any width, now and then none at all; a power of two and its neighbours are the edges.
      std::uint64_t value = random() >> random() % 64;
      if (random() % 4 == 0) value = (std::uint64_t{1} << random() % 64) - random() % 2;
      fields.push_back(allotter.allot(value));
      highest.push_back(value);
    }
    std::vector<std::uint64_t> taken(static_cast<std::size_t>(allotter.words()), 0);
    taken[0] = reserved == 64 ? kAll : (std::uint64_t{1} << reserved) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Field& field = fields[i];
      if (highest[i] == 0) {
        REQUIRE(field.mask == 0);
        continue;
      }
      REQUIRE(field.word < taken.size());
      // No bit is shifted out of the word, and the mask is as wide as the highest value.
      REQUIRE((bits_of(field) >> field.shift) == field.mask);
      REQUIRE(std::bit_width(field.mask) == std::bit_width(highest[i]));
      REQUIRE(std::has_single_bit(field.mask + 1) == (field.mask != kAll));
      REQUIRE((taken[field.word] & bits_of(field)) == 0);
      taken[field.word] |= bits_of(field);
    }
    REQUIRE((taken.back() != 0 || taken.size() == 1));  // no more words than it takes
  }
}

TEST_CASE("base/bits/field: setting a field changes no other bit") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    FieldAllotter allotter(static_cast<int>(random() % 20));
    std::vector<Field> fields(12);
    for (Field& field : fields) field = allotter.allot(random() >> random() % 64);
    std::vector<std::uint64_t> words(static_cast<std::size_t>(allotter.words()));
    for (std::uint64_t& word : words) word = random();
    for (int i = 0; i < 40; ++i) {
      const Field& field = fields[random() % fields.size()];
      const std::uint64_t value = random() & field.mask;
      const std::vector<std::uint64_t> before = words;
      field.set(words.data(), value);
      REQUIRE(field.get(words.data()) == value);
      for (std::size_t w = 0; w < words.size(); ++w) {
        const std::uint64_t own = w == field.word ? bits_of(field) : 0;
        REQUIRE((words[w] & ~own) == (before[w] & ~own));
      }
    }
  }
}

TEST_CASE("base/bits/field: a field may be a whole word") {
  FieldAllotter allotter;
  const Field first = allotter.allot(kAll);
  const Field second = allotter.allot(std::uint64_t{1} << 63);
  CHECK(first.word == 0);
  CHECK(first.mask == kAll);
  CHECK(second.word == 1);
  CHECK(allotter.words() == 2);
  std::uint64_t words[2] = {1, 2};
  first.set(words, kAll - 5);
  CHECK(first.get(words) == kAll - 5);
  first.set(words, 7);
  CHECK(first.get(words) == 7);
  CHECK(words[1] == 2);
  second.set(words, kAll);
  CHECK(second.get(words) == kAll);
  CHECK(words[0] == 7);
}

TEST_CASE("base/bits/field: a field without bits holds 0 and takes no room") {
  FieldAllotter allotter(64);
  const Field nothing = allotter.allot(0);
  CHECK(allotter.words() == 1);
  std::uint64_t words[1] = {kAll};
  CHECK(nothing.get(words) == 0);
  nothing.set(words, 0);
  CHECK(words[0] == kAll);
}

TEST_CASE("base/bits/field: what does not fit into a word goes into the next one") {
  CHECK(FieldAllotter().words() == 1);
  FieldAllotter allotter(60);
  CHECK(allotter.allot(15).word == 0);  // exactly the rest
  CHECK(allotter.words() == 1);
  CHECK(allotter.allot(1).word == 1);
  FieldAllotter other(61);
  const Field field = other.allot(15);
  CHECK(field.word == 1);
  CHECK(field.shift == 0);
  CHECK(other.words() == 2);
  // The bits that were left are nobody's.
  CHECK(other.allot(1).word == 1);
}
