// What compilers of shading languages put around a program to make it safe on any device (tint,
// naga): tests that bound loops, and accesses beyond the end of a buffer that are moved to its last
// element. Taken away, the program that was written is left. Also what nothing needs.
#pragma once

#include <set>
#include <string>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Loops that a pair of counters of 32 bits ends after 2^64 - 1 rounds, counted down from all ones,
// go on without end; Function::unbounded_loops says how many. What tested the counters is false.
void drop_loop_guards(Function& function);

// An index into a buffer of which the lesser with its last one is taken, umin(i, length - 1), is
// within the buffer: the buffer is as long as it needs to be, which is a premise. Said by an
// assumption where the length is looked at otherwise, too. Not of the buffers in `sized`, whose
// length is given, nor of a lesser index that is used otherwise. To be asked for of a compiler that
// clamps all indices, so that of the author's own clamps the result is clamped once more.
void drop_index_guards(Function& function, const std::set<std::string>& sized);

// Whether nothing but its result comes of an instruction, whatever its operands are.
bool only_gives(const Function& function, const Instruction& i);

// Drops instructions without effect whose results nothing needs but each other, such as counters
// that only count. Accesses to memory, and operations that can go wrong, stay.
void drop_unused(Function& function);

}  // namespace headway::kernel
