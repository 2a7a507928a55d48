// Which instructions of a launch decide whether it ends: barriers, the ways out of loops that may
// wait, and backwards from there whatever gives them values, through registers, control and memory
// (Weiser, "Program slicing", 1981). Of ways that no execution takes nothing is kept.
#pragma once

#include <vector>

#include "kernel/slice/observed.hpp"

namespace headway::kernel::slice {

struct Relevant {
  std::vector<bool> kept;    // by the number of the instruction
  std::vector<bool> needed;  // by value: what an instruction gives
  // The blocks that follow each block, in the order of its targets: ways that are taken, and behind
  // a branch that does not matter the place where its ways come together. Empty: the end.
  std::vector<std::vector<BlockId>> next;
};

// `waits`: whether some execution of the launch may go on for ever. `ways_out`: with the ways out
// of loops that no execution leaves, for whoever reads it.
Relevant find_relevant(const Code& code, const Observed& observed, bool waits, bool ways_out);

}  // namespace headway::kernel::slice
