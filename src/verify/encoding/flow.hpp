// The shape of a function: which blocks it reaches, its loops, who dominates whom, and an order of
// the blocks in which every loop stays together. Flow that no loop has a single head for is
// refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::verify {

using kernel::BlockId;
inline constexpr int kNoLoop = -1;

struct Loop {
  BlockId head = 0;
  int parent = kNoLoop;          // the next loop around it
  std::vector<BlockId> blocks;   // with those of loops in it, in the order of Flow
  std::vector<BlockId> latches;  // that jump back
  std::vector<BlockId> exiting;  // blocks of the loop with a target outside of it
};

struct Flow {
  std::vector<std::vector<BlockId>> before, after;  // of blocks that are reached; each once
  std::vector<BlockId> order;           // every block after those before it, but for jumps back
  std::vector<int> position;            // in `order`; -1: never reached
  std::vector<BlockId> dominator;       // the closest; of the first block: itself
  std::vector<BlockId> post_dominator;  // the closest; kNone: the end of the function
  std::vector<Loop> loops;              // those around come first
  std::vector<int> loop;                // the innermost one of a block

  bool in_loop(BlockId block, int loop) const;
  bool dominates(BlockId a, BlockId b) const;
  bool post_dominates(BlockId a, BlockId b) const;
};

// Nothing where a loop has several heads.
std::optional<Flow> flow_of(const kernel::Function& function);

// Whether a precondition is the kernel's own: what a function requires that it calls is not.
bool is_own_precondition(const kernel::Instruction& claim, BlockId block);

}  // namespace headway::verify
