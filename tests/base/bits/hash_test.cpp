#include "base/bits/hash.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using headway::hash_words;
using headway::mix;
using headway::stable_hash;

// The published test vectors of FNV-1a: names built from this hash must survive every release.
TEST_CASE("base/bits/hash: the stable hash is FNV-1a") {
  CHECK(stable_hash("") == 0xcbf29ce484222325ULL);
  CHECK(stable_hash("a") == 0xaf63dc4c8601ec8cULL);
  CHECK(stable_hash("b") == 0xaf63df4c8601f1a5ULL);
  CHECK(stable_hash("foobar") == 0x85944171f73967e8ULL);
  static_assert(stable_hash("foobar") == 0x85944171f73967e8ULL);
}

TEST_CASE("base/bits/hash: the stable hash takes bytes as unsigned and counts NUL bytes") {
  CHECK(stable_hash("\xff") == (0xcbf29ce484222325ULL ^ 0xff) * 0x100000001b3ULL);
  CHECK(stable_hash(std::string_view("\0", 1)) != stable_hash(std::string_view("\0\0", 2)));
}

TEST_CASE("base/bits/hash: mixing is one to one and reaches the low bits") {
  std::set<std::uint64_t> all;
  std::set<std::uint64_t> low;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    const std::uint64_t mixed = mix(i << 48);  // words that differ in their high bits only
    all.insert(mixed);
    low.insert(mixed & 4095);
  }
  CHECK(all.size() == 4096);
  CHECK(low.size() > 2000);  // 63 % of the slots for a random function, about 2590
}

TEST_CASE("base/bits/hash: every word of a key counts and so does its place") {
  std::mt19937_64 random(1);
  std::set<std::uint64_t> seen;
  std::uint64_t key[4] = {};
  for (std::size_t word = 0; word < 4; ++word) {
    for (int i = 0; i < 256; ++i) {
      key[word] = random();
      seen.insert(hash_words(key, 4));
      key[word] = 0;
    }
  }
  CHECK(seen.size() == 1024);
  const std::uint64_t ab[] = {1, 2};
  const std::uint64_t ba[] = {2, 1};
  CHECK(hash_words(ab, 2) != hash_words(ba, 2));
}
