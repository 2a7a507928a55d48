// Where control goes in a function: from block to block, and round its loops.
#pragma once

#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// For each block those that it may go to, in order, each once; none from a block that is empty yet.
std::vector<std::vector<BlockId>> successors(const Function& function);

// Which blocks come behind a block, itself only by a loop.
std::vector<bool> reached_from(const std::vector<std::vector<BlockId>>& after, BlockId from);

// A way back to a head that every way to it goes through.
struct NaturalLoop {
  BlockId head;
  std::vector<bool> blocks;    // from which one comes back to the head
  std::vector<bool> declared;  // these, and those that the source says are in it
};
std::vector<NaturalLoop> natural_loops(const Function& function);

}  // namespace headway::kernel
