#include "kernel/ptx/registers.hpp"

#include <algorithm>
#include <utility>

namespace headway::kernel::ptx {

void Registers::edge(BlockId from, BlockId to) {
  std::vector<BlockId>& before = before_[to];
  if (std::find(before.begin(), before.end(), from) == before.end()) before.push_back(from);
}

ValueId Registers::read(std::uint32_t reg, BlockId block) {
  const ValueId value = found(reg, block);
  // One after the other, however long the way back is.
  while (!joins_.empty()) {
    const auto [at, of, result] = joins_.back();
    joins_.pop_back();
    std::vector<std::pair<BlockId, ValueId>> incoming;
    for (const BlockId from : before_[at]) incoming.emplace_back(from, found(of, from));
    builder_.phi(at, result, incoming);
  }
  return value;
}

// Back to where it is known; where control comes together, joins_ is told.
ValueId Registers::found(std::uint32_t reg, BlockId block) {
  std::vector<BlockId> way;
  ValueId value = kNone;
  for (BlockId at = block; value == kNone;) {
    const auto known = ends_.find({at, reg});
    if (known != ends_.end()) {
      value = known->second;
      break;
    }
    way.push_back(at);
    const auto before = before_.find(at);
    const std::size_t ways = before == before_.end() ? 0 : before->second.size();
    if (const auto open = open_.find(at); open != open_.end()) {
      value = builder_.forward(registers_[reg].type, registers_[reg].name);
      open->second.emplace_back(reg, value);
    } else if (ways == 0) {  // nobody has written it
      value = builder_.undefined(registers_[reg].type, registers_[reg].name);
    } else if (ways == 1) {
      at = before->second.front();
      if (std::find(way.begin(), way.end(), at) == way.end()) continue;
      // A loop that nothing leads to.
      value = builder_.undefined(registers_[reg].type, registers_[reg].name);
    } else {
      value = builder_.forward(registers_[reg].type, registers_[reg].name);
      joins_.push_back({at, reg, value});
    }
  }
  for (const BlockId one : way) ends_[{one, reg}] = value;
  return value;
}

void Registers::closed(BlockId block) {
  const auto found = open_.find(block);
  if (found == open_.end()) return;
  const auto wanted = std::move(found->second);
  open_.erase(found);
  for (const auto& [reg, value] : wanted) {
    std::vector<std::pair<BlockId, ValueId>> incoming;
    for (const BlockId from : before_[block]) incoming.emplace_back(from, read(reg, from));
    builder_.phi(block, value, incoming);
  }
}

void Registers::finish() {
  while (!open_.empty()) closed(open_.begin()->first);
}

}  // namespace headway::kernel::ptx
