// Random programs of the idiom language, as texts.
#pragma once

#include <string>

#include "support/random_tests.hpp"

namespace headway::testing {

// A program for `threads` threads over a few small variables, with loops, jumps, registers, errors
// and local computation, small enough for the oracle most of the time.
std::string random_idiom(Random& random, int threads);

// An AXB test in the idiom language, statement by statement.
std::string as_idiom(const lang::Test& test);

}  // namespace headway::testing
