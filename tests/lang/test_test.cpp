#include "lang/test.hpp"

#include <doctest/doctest.h>

using namespace headway::lang;

TEST_CASE("lang/test: a store exchanges and goes on whatever it read") {
  CHECK(is_store({0, 0, 3, true, 1}, 2));
  CHECK(is_store({0, 1, 3, true, 1}, 2));         // a check value makes no difference
  CHECK_FALSE(is_store({0, 0, 3, false, 0}, 2));  // a read without consequences
  CHECK_FALSE(is_store({0, 0, 2, true, 1}, 2));
}

TEST_CASE("lang/test: equality looks at the program and not at its file") {
  Test a;
  a.locations = {{"m", 0}};
  a.threads = {{{{0, 0, 1, true, 1}}, {}}};
  a.expectations = {{"OBE", Fairness::weak, true, {}, {}}};
  Test b = a;
  b.threads[0].sources = {{7, "m = 1;"}};
  b.expectations[0].where = {"file", 1, 2};
  b.expectations[0].source_line = "pass OBE:weak;";
  CHECK(a == b);
  CHECK(a.instruction_count() == 1);

  std::vector<Test> others(8, a);
  others[0].name = "n";
  others[1].comment = {""};
  others[2].locations[0].initial = 1;
  others[3].values = 3;
  others[4].threads[0].instructions[0].check_value = 1;
  others[5].expectations[0].fairness = std::nullopt;
  others[6].expectations[0].passes = false;
  others[7].threads.push_back(a.threads[0]);
  for (const Test& other : others) CHECK_FALSE(a == other);
}
