#include "kernel/ptx/registers.hpp"

#include <algorithm>

namespace headway::kernel::ptx {

void Registers::edge(BlockId from, BlockId to) {
  std::vector<BlockId>& before = before_[to];
  if (std::find(before.begin(), before.end(), from) == before.end()) before.push_back(from);
}

ValueId Registers::read(std::uint32_t reg, BlockId block) {
  const auto known = ends_.find({block, reg});
  if (known != ends_.end()) return known->second;
  const auto keep = [&](ValueId value) { return ends_[{block, reg}] = value; };
  const auto forward = [&] {
    return keep(builder_.forward(registers_[reg].type, registers_[reg].name));
  };
  if (const auto open = open_.find(block); open != open_.end()) {
    open->second.emplace_back(reg, forward());
    return ends_.at({block, reg});
  }
  const auto before = before_.find(block);
  const std::size_t ways = before == before_.end() ? 0 : before->second.size();
  if (ways == 0) {  // nobody has written it
    return keep(builder_.undefined(registers_[reg].type, registers_[reg].name));
  }
  if (ways == 1) return keep(read(reg, before->second.front()));
  const ValueId value = forward();  // known before others, as loops come back to it
  join(block, reg, value);
  return value;
}

void Registers::join(BlockId block, std::uint32_t reg, ValueId result) {
  std::vector<std::pair<BlockId, ValueId>> incoming;
  for (const BlockId from : before_[block]) incoming.emplace_back(from, read(reg, from));
  builder_.phi(block, result, incoming);
}

void Registers::finish() {
  while (!open_.empty()) {
    const auto [block, wanted] = *open_.begin();
    open_.erase(open_.begin());
    for (const auto& [reg, value] : wanted) join(block, reg, value);
  }
}

}  // namespace headway::kernel::ptx
