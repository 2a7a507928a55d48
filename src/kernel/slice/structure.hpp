// The blocks of a slice as statements: loops and branches as they were written, as far as their
// control flow tells, and jumps where it does not. By the dominator tree: Ramsey, "Beyond Relooper"
// (ICFP 2022); loops end where their members do, as in Yakdan et al., "No more gotos" (NDSS 2015).
#pragma once

#include "kernel/slice/expressions.hpp"

namespace headway::kernel::slice {

// Throws lang::Undecided for loops that are entered at several places.
Statements structured(const Code& code, const Relevant& relevant, Expressions& expressions);

}  // namespace headway::kernel::slice
