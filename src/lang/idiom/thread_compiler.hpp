// The half of the compiler that turns a thread block into the instructions of one thread.
#pragma once

#include <optional>

#include "lang/idiom/code.hpp"
#include "lang/idiom/constants.hpp"

namespace headway::lang::idiom {

// The code of the block for the thread `id`, which is used with `code`, whose variables are known.
// Throws headway::Error for what is wrong with this N.
ThreadCode compile_thread(const Syntax& syntax, const Constants& constants, const Code& code,
                          const Block& block, int id);
// The code of assertions about memory, each of which reads it at once.
ThreadCode compile_final(const Syntax& syntax, const Constants& constants, const Code& code,
                         const Block& block);

}  // namespace headway::lang::idiom
