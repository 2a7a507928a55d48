// All litmus tests of a size, for tests of what looks at many of them.
#pragma once

#include <vector>

#include "lang/test.hpp"

namespace headway::testing {

// Every litmus test with so many threads and instructions over two locations and two values, in
// the order of synthesis, named "2t_3i_0", "2t_3i_1", ... Synthesized once.
const std::vector<lang::Test>& synthesized_tests(int threads, int instructions);

}  // namespace headway::testing
