// The two parsers behind parser.hpp, one a text format, and what they share.
#pragma once

#include "lang/scanner.hpp"
#include "lang/test.hpp"

namespace headway::lang {

Test parse_litmus(Scanner& scanner);
Test parse_published(Scanner& scanner);

// Sets `test.values` to the smallest number that covers every value in the test, at least 2.
void derive_values(Test& test);

}  // namespace headway::lang
