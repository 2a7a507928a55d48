// Where the threads of a group may part: values that may differ among them, and blocks that only
// some of them may run. As what differs counts whatever is computed in such a block, and what meets
// behind it. Takes quadratic space, for up to kMostBlocks blocks.
#pragma once

#include <functional>
#include <vector>

#include "kernel/ir/control_flow.hpp"
#include "kernel/ir/ir.hpp"

namespace headway::kernel {

class Divergence {
 public:
  static constexpr std::size_t kMostBlocks = 2000;
  // Of what an instruction gives, other than a phi.
  enum class Source { same, different, as_operands };

  // `function` must outlive it, with its control flow as it is.
  Divergence(const Function& function, std::function<Source(const Instruction&)> source);

  // Whether only some of the threads may run a block.
  bool parts(BlockId b) const { return block_[b]; }
  // Whether threads may leave a block in different directions.
  bool splits(BlockId b) const;
  // Whether a block comes behind another one, itself only by a loop.
  bool reaches(BlockId from, BlockId to) const { return reached_[from][to]; }
  // Whether threads that leave a loop in different rounds come to a block that the source has in
  // this loop, although none comes back from it.
  bool comes_from_rounds(BlockId b) const;
  // The nearest block that every way from a block to an end goes through; kNone: the end.
  BlockId join(BlockId b) const { return joins_[b]; }
  // Whether every way from a branch to a block goes through where the branch's ways come together.
  bool passes(BlockId from, BlockId to) const;

 private:
  const std::vector<BlockId>& targets(BlockId b) const { return function_.blocks[b].end().targets; }
  void find_reached();
  void find_joins();
  void find_loops();
  std::vector<bool> between(BlockId from) const;
  std::vector<const std::vector<bool>*> again(BlockId from, const std::vector<bool>& seen) const;
  bool differs(BlockId b, const Instruction& i) const;
  bool pass();

  const Function& function_;
  std::function<Source(const Instruction&)> source_;
  std::vector<bool> value_, block_;
  std::vector<std::vector<bool>> reached_;
  std::vector<BlockId> joins_;
  std::vector<NaturalLoop> loops_;  // and those of several heads
};

// Whose threads come by together.
enum class Together : std::uint8_t { subgroup, workgroup, grid };

// Of what an instruction gives to threads that come by together, whatever memory holds and others
// do: what one may know more of is the caller's.
Divergence::Source source_of(const Instruction& i, Together of);

}  // namespace headway::kernel
