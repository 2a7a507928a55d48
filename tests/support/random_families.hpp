// Random uniform families (docs/internals/every-n.md), as texts of the idiom language.
#pragma once

#include <string>

#include "support/random_tests.hpp"

namespace headway::testing {

// A family of threads that all run the same code, or with a thread of its own at the lowest or the
// highest id, or that tells even ids from odd ones; of one to five statements a program.
std::string random_family(Random& random);
// One whose threads are told apart by comparing their ids with numbers.
std::string random_family_by_id(Random& random);

// A family whose programs mention N or look at ids: threads that count each other, that stand in a
// row by ids or by numbers that they draw, and whose parts are mixed up at random.
std::string random_parametric_family(Random& random);

}  // namespace headway::testing
