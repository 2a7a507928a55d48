#include "base/bits/thread_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

using headway::kMaxThreads;
using headway::ThreadSet;

namespace {

std::set<int> ids(ThreadSet set) {
  std::set<int> result;
  for (int thread : set) result.insert(thread);
  return result;
}

}  // namespace

TEST_CASE("base/bits/thread_set: an empty set holds nothing") {
  const ThreadSet none;
  CHECK(none.empty());
  CHECK(none.size() == 0);
  CHECK(none.begin() == none.end());
  CHECK(none.to_string() == "{}");
  for (int thread = 0; thread < kMaxThreads; ++thread) CHECK_FALSE(none.contains(thread));
}

TEST_CASE("base/bits/thread_set: the first threads are clamped to what a set can hold") {
  CHECK(ThreadSet::first(0).empty());
  CHECK(ThreadSet::first(-3).empty());
  CHECK(ThreadSet::first(3).to_string() == "{0, 1, 2}");
  CHECK(ThreadSet::first(31).size() == 31);
  CHECK(ThreadSet::first(32).size() == 32);
  CHECK(ThreadSet::first(1000) == ThreadSet::first(kMaxThreads));
}

TEST_CASE("base/bits/thread_set: the outermost ids are ids like all others") {
  for (int thread : {0, 1, 15, 30, 31}) {
    const ThreadSet set = ThreadSet::single(thread);
    CHECK(set.size() == 1);
    CHECK(set.contains(thread));
    CHECK(set.min() == thread);
    CHECK(set.max() == thread);
    CHECK(ids(set) == std::set<int>{thread});
    CHECK(set.to_string() == "{" + std::to_string(thread) + "}");
  }
}

TEST_CASE("base/bits/thread_set: operations agree with those of std::set") {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    // Sparse and dense sets alike.
    const ThreadSet a = ThreadSet::of_bits(random() & (round % 2 == 0 ? random() : ~0U));
    const ThreadSet b = ThreadSet::of_bits(random() & (round % 3 == 0 ? random() : ~0U));
    const std::set<int> sa = ids(a);
    const std::set<int> sb = ids(b);
    std::set<int> both = sa;
    both.insert(sb.begin(), sb.end());
    std::set<int> common;
    std::set<int> rest;
    for (int thread : sa) (sb.count(thread) > 0 ? common : rest).insert(thread);
    CHECK(ids(a | b) == both);
    CHECK(ids(a & b) == common);
    CHECK(ids(a - b) == rest);
    CHECK(static_cast<std::size_t>(a.size()) == sa.size());
    CHECK(a.includes(b) == std::includes(sa.begin(), sa.end(), sb.begin(), sb.end()));
    CHECK((a == b) == (sa == sb));
    if (!a.empty()) {
      CHECK(a.min() == *sa.begin());
      CHECK(a.max() == *sa.rbegin());
    }
    ThreadSet c = a;
    CHECK((c |= b) == (a | b));
    c = a;
    CHECK((c &= b) == (a & b));
    c = a;
    CHECK((c -= b) == (a - b));
  }
}
