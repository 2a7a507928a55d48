// Families of litmus tests: their members can be written and read again, and refuse what they
// cannot be. That they have the verdicts they expect is held by tests/checker/sweep_test.cpp.
#include "lang/families.hpp"

#include <doctest/doctest.h>

#include "lang/parser.hpp"
#include "lang/printer.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::lang;

TEST_CASE("lang/families: a printed member is read as the same test") {
  for (const Family& family : families()) {
    for (const int threads : {family.fewest_threads, 5, kMaxThreads}) {
      const Test test = make_family(family.name, {.threads = threads, .groups = 2});
      CAPTURE(test.name);
      CHECK(test.thread_count() == threads);
      CHECK(test.expectations.size() == 6);
      CHECK(parse(print(test), "family") == test);
    }
  }
}

TEST_CASE("lang/families: the spin mutex has the same code in every thread") {
  const Test test = make_family("spin-mutex", {.threads = 7});
  CHECK(test.name == "spin-mutex-7");
  CHECK(test.locations.size() == 1);
  for (const Thread& thread : test.threads) CHECK(thread == test.threads.front());
}

TEST_CASE("lang/families: neighbours of the two-level mutex share a lock") {
  const Test test = make_family("two-level-mutex", {.threads = 4, .groups = 2});
  CHECK(test.locations.size() == 3);
  CHECK(test.threads[0] == test.threads[1]);
  CHECK(test.threads[2] == test.threads[3]);
  CHECK_FALSE(test.threads[1] == test.threads[2]);
}

TEST_CASE("lang/families: what no member can be is refused") {
  CHECK_THROWS_AS(make_family("spin", {}), Error);
  CHECK_THROWS_AS(make_family("spin-mutex", {.threads = kMaxThreads + 1}), Error);
  for (const Family& family : families()) {
    CHECK_THROWS_AS(make_family(family.name, {.threads = family.fewest_threads - 1}), Error);
  }
  CHECK_THROWS_AS(make_family("two-level-mutex", {.threads = 3, .groups = 4}), Error);
}
