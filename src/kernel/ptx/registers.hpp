// Registers of PTX, which are written again and again -> values in static single assignment, block
// by block as these are emitted. Where control comes together the value is a phi.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

class Registers {
 public:
  Registers(Builder& builder, const std::vector<Register>& registers)
      : builder_(builder), registers_(registers) {}

  // The value of a register where the builder is; values have the type of their register.
  ValueId read(std::uint32_t reg) { return read(reg, builder_.here()); }
  void write(std::uint32_t reg, ValueId value) { ends_[{builder_.here(), reg}] = value; }

  // Every block but the first is told from where it is reached. `open`: more may come, until
  // closed() or finish().
  void edge(BlockId from, BlockId to);
  void open(BlockId block) { open_[block]; }
  void closed(BlockId block);
  void finish();

 private:
  ValueId read(std::uint32_t reg, BlockId block);
  ValueId found(std::uint32_t reg, BlockId block);

  using Key = std::pair<BlockId, std::uint32_t>;
  // A phi that is to come, where the ways into its block are known.
  struct Join {
    BlockId block;
    std::uint32_t reg;
    ValueId result;
  };
  Builder& builder_;
  const std::vector<Register>& registers_;
  std::map<Key, ValueId> ends_;
  std::map<BlockId, std::vector<BlockId>> before_;
  std::map<BlockId, std::vector<std::pair<std::uint32_t, ValueId>>> open_;  // phis to come
  std::vector<Join> joins_;
};

}  // namespace headway::kernel::ptx
