// Which threads of a compiled program do the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lang/idiom/code.hpp"

namespace headway::lang::idiom {

// The value of a node that no register and no memory has a part in, and whose computation does not
// fail.
std::optional<std::int64_t> constant(const ThreadCode& thread, int node);

// By thread, the first one whose code does the same, whoever runs it: the same instructions at the
// same places, save for what cannot be reached, as it lies behind a condition on the thread's ids
// that does not hold.
std::vector<int> kinds_of(const Code& code);

// Where the computation may go on after an instruction; behind a branch whose condition is known,
// only there. The same for threads that do the same.
std::vector<int> successors(const ThreadCode& thread, int at);

}  // namespace headway::lang::idiom
