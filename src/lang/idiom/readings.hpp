// What a program may have in it under a reading of subgroups.
#pragma once

#include "lang/idiom/syntax.hpp"

namespace headway::lang::idiom {

// Throws headway::Error, with its place, for what syntax.reading cannot have.
void refuse_for_reading(const Syntax& syntax);

}  // namespace headway::lang::idiom
