#include "kernel/ir/unwaited_copy.hpp"

#include <algorithm>
#include <vector>

namespace headway::kernel {
namespace {

bool waits(const Instruction& i) { return i.op == Op::wait_events; }

// Whether a block that comes behind this one, itself in a loop, waits.
bool waits_behind(const Function& function, const Block& from) {
  std::vector<bool> seen(function.blocks.size());
  std::vector<BlockId> open = from.end().targets;
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Block& block = function.blocks[at];
    if (std::ranges::any_of(block.code, waits)) return true;
    open.insert(open.end(), block.end().targets.begin(), block.end().targets.end());
  }
  return false;
}

}  // namespace

std::optional<Place> unwaited_copy(const Function& function) {
  for (const Block& block : function.blocks) {
    for (auto i = block.code.begin(); i != block.code.end(); ++i) {
      if (i->op != Op::async_copy || std::any_of(i, block.code.end(), waits)) continue;
      if (!waits_behind(function, block)) return i->place;
    }
  }
  return {};
}

}  // namespace headway::kernel
