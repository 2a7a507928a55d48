// By which names somebody may mean a kernel.
#include "kernel/ir/symbol_name.hpp"

#include <doctest/doctest.h>

using headway::kernel::demangled;
using headway::kernel::is_called;

TEST_CASE("kernel/ir/symbol_name: a kernel is meant by its name, its symbol or its template") {
  const std::string symbol = "_Z6reduceILj256EEvPi";
  CHECK(demangled(symbol) == "reduce<256u>");
  CHECK(is_called("reduce<256u>", demangled(symbol), symbol));
  CHECK(is_called(symbol, demangled(symbol), symbol));
  CHECK(is_called("reduce", demangled(symbol), symbol));
  CHECK_FALSE(is_called("reduc", demangled(symbol), symbol));
  CHECK_FALSE(is_called("", demangled(symbol), symbol));
  CHECK_FALSE(is_called("reduce", "reduce2", "_Z7reduce2Pi"));
}
