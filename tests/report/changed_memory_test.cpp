#include "report/changed_memory.hpp"

#include <doctest/doctest.h>

using headway::report::changed_memory;

TEST_CASE("report/changed_memory: variables that differ") {
  CHECK(changed_memory("x=0 y=1", "x=0 y=1").empty());
  CHECK(changed_memory("x=0 y=1", "x=0 y=2") == "y=2");
  CHECK(changed_memory("x=0 y=1 z=2", "x=1 y=1 z=3") == "x=1 z=3");
  CHECK(changed_memory("a={0,0} x@0=0 x@1=0", "a={0,1} x@0=0 x@1=1") == "a={0,1} x@1=1");
  CHECK(changed_memory("", "").empty());
  // Memory that nobody has looked at before.
  CHECK(changed_memory("x=0", "x=0 y=0") == "y=0");
  CHECK(changed_memory("", "x=0") == "x=0");
  CHECK(changed_memory("x=0 y=1 ...", "w=2 x=0 ...") == "w=2");
  CHECK(changed_memory("x=0 y=1 ...", "x=0 y=2 ...") == "y=2");
}

TEST_CASE("report/changed_memory: memory that is written in another way is shown as it is") {
  CHECK(changed_memory("2 coins", "3 coins") == "3 coins");
  CHECK(changed_memory("x=0", "y=0") == "y=0");
  CHECK(changed_memory("x=0 y=0", "x=0") == "x=0");
}
