// Which threads of a compiled program do the same.
#pragma once

#include <vector>

#include "lang/idiom/code.hpp"

namespace headway::lang::idiom {

// By thread, the first one whose code does the same, whoever runs it: the same instructions at the
// same places, save for what cannot be reached, as it lies behind a condition on the thread's ids
// that does not hold.
std::vector<int> kinds_of(const Code& code);

}  // namespace headway::lang::idiom
