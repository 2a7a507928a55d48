// Whether all orders in which threads may see the atomic accesses of a launch are orders of all of
// them. Memory is taken for sequentially consistent; where this is false, that is an assumption,
// which answers name.
#pragma once

#include "kernel/machine/code.hpp"
#include "kernel/machine/launch.hpp"

namespace headway::kernel {

// The accesses go to one place, of which it is so in every language, or all are sequentially
// consistent.
bool is_in_one_order(const Launch& launch, const Code& code);

}  // namespace headway::kernel
