#include "kernel/ir/control_flow.hpp"

#include <algorithm>
#include <utility>

#include "base/graph/dominators.hpp"

namespace headway::kernel {

std::vector<std::vector<BlockId>> successors(const Function& function) {
  std::vector<std::vector<BlockId>> result(function.blocks.size());
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    if (function.blocks[b].code.empty()) continue;
    result[b] = function.blocks[b].end().targets;
    std::sort(result[b].begin(), result[b].end());
    result[b].erase(std::unique(result[b].begin(), result[b].end()), result[b].end());
  }
  return result;
}

std::vector<bool> reached_from(const std::vector<std::vector<BlockId>>& after, BlockId from) {
  std::vector<bool> reached(after.size(), false);
  std::vector<BlockId> open = after[from];
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    if (reached[at]) continue;
    reached[at] = true;
    open.insert(open.end(), after[at].begin(), after[at].end());
  }
  return reached;
}

std::vector<NaturalLoop> natural_loops(const Function& function) {
  const auto after = successors(function);
  const std::size_t count = after.size();
  const std::vector<BlockId> closest = closest_dominators(0, after);
  std::vector<std::vector<BlockId>> before(count);
  for (BlockId b = 0; b < count; ++b) {
    for (const BlockId next : after[b]) before[next].push_back(b);
  }
  std::vector<NaturalLoop> loops;
  for (BlockId head = 0; head < count; ++head) {
    std::vector<BlockId> open;
    for (const BlockId back : before[head]) {
      if (dominates(closest, head, back)) open.push_back(back);
    }
    if (open.empty()) continue;
    NaturalLoop loop{head, std::vector<bool>(count, false), {}};
    loop.blocks[head] = true;
    while (!open.empty()) {
      const BlockId at = open.back();
      open.pop_back();
      if (loop.blocks[at]) continue;
      loop.blocks[at] = true;
      open.insert(open.end(), before[at].begin(), before[at].end());
    }
    loop.declared = loop.blocks;
    for (BlockId b = 0; b < count; ++b) {
      const std::vector<BlockId>& of = function.blocks[b].loops;
      if (std::find(of.begin(), of.end(), head) != of.end()) loop.declared[b] = true;
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace headway::kernel
