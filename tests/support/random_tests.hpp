// Random litmus tests that use whatever a test can hold.
#pragma once

#include <random>

#include "lang/test.hpp"

namespace headway::testing {

using Random = std::mt19937;

// 0 <= number < bound
int below(Random& random, int bound);
// True once in `times`.
bool once_in(Random& random, int times);

// A valid test, mostly of a few threads and instructions, now and then at a limit of the language.
// It has every kind of jump, raw forms included, initial values, a name, a comment and
// expectations, and locations that no instruction uses.
lang::Test random_test(Random& random);

// The same program with its locations renamed and in another order.
lang::Test with_shuffled_locations(const lang::Test& test, Random& random);

}  // namespace headway::testing
