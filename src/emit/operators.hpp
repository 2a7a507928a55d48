// The operators of the idiom language, which are those of C and of every target.
#pragma once

#include <string_view>

#include "lang/idiom/syntax.hpp"

namespace headway::emit {

// "+"
std::string_view sign(lang::idiom::Operator op);
// Whether its value is 0 or 1: a condition in targets.
bool is_truth(lang::idiom::Operator op);

}  // namespace headway::emit
