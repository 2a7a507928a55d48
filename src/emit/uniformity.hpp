// Where all threads of a group come by together, whatever they read from memory. Targets ask for
// that at barriers, or say nothing of a barrier that not all threads reach.
#pragma once

#include "emit/kernel.hpp"
#include "lang/idiom/constants.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::emit {

// The barriers of a program, by number. What is not found to be uniform may still be.
std::vector<BarrierUse> find_barriers(const lang::idiom::Syntax& syntax,
                                      const lang::idiom::Constants& constants);

// Whether threads come by a barrier in a statement, or in what it calls.
bool has_barrier(const lang::idiom::Statement& statement, const lang::idiom::Syntax& syntax);

// The threads of a block: the first and the last; the last is smaller when there are none.
std::pair<int, int> threads_of(const lang::idiom::Block& block,
                               const lang::idiom::Constants& constants);

}  // namespace headway::emit
