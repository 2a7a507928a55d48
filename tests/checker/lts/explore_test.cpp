#include "checker/lts/explore.hpp"

#include <doctest/doctest.h>

#include "lang/test.hpp"
#include "languages/languages.hpp"

using namespace headway;

TEST_CASE("checker/lts/explore: the limit on states is one on transitions of those that choose") {
  // From each of two thousand states two thousand ways lead on.
  const lang::Test test = lang::parse(
      "shared int(0..1) x;\nthread 0 {\n  int(0..1999) sum = 0;\n  int(0..1999) more = 0;\n"
      "  while (load(x) == 0) { more = choose(0..1999); sum = (sum + more) % 2000; }\n}\n",
      "many");
  const auto program = lang::make_program(test);
  checker::Explorer explorer;
  CHECK(explorer.explore(*program, {true, 10'000}) == nullptr);
  CHECK(explorer.stopped_by() == Limit::states);
  CHECK(explorer.explored_states() < 10'000);
  CHECK(explorer.explored_transitions() < 2'000'000);
  // With few ways on nothing is limited but states.
  const lang::Test few = lang::parse(
      "shared int(0..1) x;\nthread 0 {\n  while (load(x) == 0) { bool more = choose(0..1); }\n}\n",
      "few");
  CHECK(explorer.explore(*lang::make_program(few), {true, 10}) != nullptr);
}
