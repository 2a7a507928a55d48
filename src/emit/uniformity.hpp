// Where all threads of a group come by together, whatever they read from memory. Targets ask for
// that at barriers, or say nothing of a barrier that not all threads reach.
#pragma once

#include "emit/kernel.hpp"
#include "lang/idiom/constants.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::emit {

// What the threads of a group do together, by number.
struct Meetings {
  std::vector<BarrierUse> barriers;
  std::vector<OperationUse> operations;
};

// Those of a program. What is not found to be uniform may still be.
Meetings find_meetings(const lang::idiom::Syntax& syntax, const lang::idiom::Constants& constants);

// Whether threads come by a barrier or an operation in a statement, or in what it calls.
bool has_meeting(const lang::idiom::Statement& statement, const lang::idiom::Syntax& syntax);

// The threads of a block: the first and the last; the last is smaller when there are none.
std::pair<int, int> threads_of(const lang::idiom::Block& block,
                               const lang::idiom::Constants& constants);

}  // namespace headway::emit
