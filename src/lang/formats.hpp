// The two parsers behind parser.hpp, one a text format, and what they share.
#pragma once

#include "lang/scanner.hpp"
#include "lang/test.hpp"

namespace headway::lang {

Test parse_litmus(Scanner& scanner);
Test parse_published(Scanner& scanner);

// Characters that names of tests and models may hold besides letters, digits and '_'.
inline constexpr std::string_view kNameCharacters = "+-.";

// Reads "{ pass OBE; fail HSA:weak; }" into `expectations`, which hold one a model and fairness
// at most; where `error` is given also "error;", which sets it.
void parse_expectations(Scanner& scanner, std::vector<Expectation>& expectations, bool* error);

// Whether both say something about one model and fairness.
bool overlap(const Expectation& a, const Expectation& b);

// Sets `test.values` to the smallest number that covers every value in the test, at least 2.
void derive_values(Test& test);

}  // namespace headway::lang
