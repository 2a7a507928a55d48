// What of a function has to be computed to know what goes wrong in a launch and who waits for whom:
// all that branches, addresses, atomic accesses, barriers, divisions and claims depend on, through
// registers and memory (Weiser, "Program slicing", 1981). Control needs no looking at, as every
// branch is needed. Of the other loads and stores it matters where they are, not what they carry.
// Two writes of what is not needed may write the same value, which is no race: so a race of two
// plain writes that is found this way has to be looked at again, with all values.
#pragma once

#include <span>
#include <vector>

#include "kernel/ir/bases.hpp"

namespace headway::kernel {

// By the number of the instruction. With `results` also what may write to memory that outlives the
// launch a value that nobody has set.
std::vector<bool> needed_instructions(const Function& function, const std::vector<Bases>& bases,
                                      const std::vector<bool>& results = {});

// Of each instruction, by number: whether it writes to memory that outlives the launch, and what it
// writes may come from memory of a workgroup or a thread that nobody wrote, or from a variable that
// was never set.
std::vector<bool> doubtful_results(const Module& module, const Function& function,
                                   const std::vector<Bases>& bases);

// The operands that are asked for where an instruction is run: all, or of a load or store that is
// not needed its address.
std::span<const ValueId> asked(const Instruction& instruction, bool needed);

}  // namespace headway::kernel
