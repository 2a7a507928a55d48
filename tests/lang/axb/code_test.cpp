#include "lang/axb/code.hpp"

#include <doctest/doctest.h>

using namespace headway::lang::axb;

TEST_CASE("lang/axb/code: a store exchanges and goes on whatever it read") {
  CHECK(is_store({0, 0, 3, true, 1}, 2));
  CHECK(is_store({0, 1, 3, true, 1}, 2));         // a check value makes no difference
  CHECK_FALSE(is_store({0, 0, 3, false, 0}, 2));  // a read without consequences
  CHECK_FALSE(is_store({0, 0, 2, true, 1}, 2));
}

TEST_CASE("lang/axb/code: there are as many values as the largest one needs, and two at least") {
  Code code;
  code.locations = {{"m", 0}};
  code.threads = {{{{0, 0, 1, true, 0}}, {}}};
  code.values = 9;
  const auto derived = [](Code code) {
    derive_values(code);
    return code.values;
  };
  CHECK(derived(code) == 2);
  Code initial = code, checked = code, exchanged = code;
  initial.locations[0].initial = 4;
  checked.threads[0].instructions[0].check_value = 5;
  exchanged.threads[0].instructions[0].exchange_value = 255;
  CHECK(derived(initial) == 5);
  CHECK(derived(checked) == 6);
  CHECK(derived(exchanged) == 256);
}
