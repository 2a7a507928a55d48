// Which values of a slice are registers: those that several statements use, and accesses that
// cannot stand where their value is used, as another access would come before them. Values that a
// phi joins share a register, where none is needed when another one is set.
#pragma once

#include "kernel/slice/expressions.hpp"

namespace headway::kernel::slice {

// `expressions` has the registers afterwards; all others are written where they are used.
void choose_registers(const Code& code, const Relevant& relevant, Expressions& expressions);

// What a way from one block to another sets: phis and their values.
std::vector<std::pair<ValueId, ValueId>> copies(const Code& code, const Relevant& relevant,
                                                BlockId from, BlockId to);

}  // namespace headway::kernel::slice
