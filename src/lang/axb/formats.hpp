// The parsers of the two text formats of AXB.
#pragma once

#include "base/text/scanner.hpp"
#include "lang/axb/code.hpp"

namespace headway::lang::axb {

// Both read one whole test, and throw headway::Error for the first thing that is wrong.
Test parse_litmus(Scanner& scanner);
Test parse_published(Scanner& scanner);

// Whether a text that begins with `first` is one of the published format.
bool begins_published(const Token& first);

}  // namespace headway::lang::axb
