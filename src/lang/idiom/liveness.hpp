// Which registers matter where.
#pragma once

#include "lang/idiom/code.hpp"

namespace headway::lang::idiom {

// Fills ThreadCode::live.
void find_live(ThreadCode& thread);

}  // namespace headway::lang::idiom
