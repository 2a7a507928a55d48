// Families of litmus tests: their members can be written and read again, and refuse what they
// cannot be. That they have the verdicts they expect is held by tests/checker/sweep/sweep_test.cpp.
#include "lang/axb/families.hpp"

#include <doctest/doctest.h>

#include "lang/axb/printer.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::lang;
using namespace headway::lang::axb;

TEST_CASE("lang/axb/families: a printed member is read as the same test") {
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

TEST_CASE("lang/axb/families: the spin mutex has the same code in every thread") {
  const Test test = make_family("spin-mutex", {.threads = 7});
  CHECK(test.name == "spin-mutex-7");
  const Code& code = testing::axb_code(test);
  CHECK(code.locations.size() == 1);
  for (const Thread& thread : code.threads) CHECK(thread == code.threads.front());
}

TEST_CASE("lang/axb/families: neighbours of the two-level mutex share a lock") {
  const Test test = make_family("two-level-mutex", {.threads = 4, .groups = 2});
  const Code& code = testing::axb_code(test);
  CHECK(code.locations.size() == 3);
  CHECK(code.threads[0] == code.threads[1]);
  CHECK(code.threads[2] == code.threads[3]);
  CHECK_FALSE(code.threads[1] == code.threads[2]);
}

TEST_CASE("lang/axb/families: what no member can be is refused") {
  CHECK_THROWS_AS(make_family("spin", {}), Error);
  CHECK_THROWS_AS(make_family("spin-mutex", {.threads = kMaxThreads + 1}), Error);
  for (const Family& family : families()) {
    CHECK_THROWS_AS(make_family(family.name, {.threads = family.fewest_threads - 1}), Error);
  }
  CHECK_THROWS_AS(make_family("two-level-mutex", {.threads = 3, .groups = 4}), Error);
}
