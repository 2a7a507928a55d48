#include "verify/encoding/flow.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/graph/dominators.hpp"

namespace headway::verify {

using kernel::kNone;

bool Flow::in_loop(BlockId block, int which) const {
  for (int l = loop[block]; l != kNoLoop; l = loops[static_cast<std::size_t>(l)].parent) {
    if (l == which) return true;
  }
  return which == kNoLoop;
}

bool Flow::dominates(BlockId a, BlockId b) const {
  while (position[b] > position[a]) b = dominator[b];
  return a == b;
}

bool Flow::post_dominates(BlockId a, BlockId b) const {
  while (b != kNone && b != a) b = post_dominator[b];
  return a == b;
}

std::optional<Flow> flow_of(const kernel::Function& function) {
  const std::size_t count = function.blocks.size();
  Flow flow;
  flow.before.resize(count);
  flow.after.resize(count);
  flow.position.assign(count, -1);
  flow.loop.assign(count, kNoLoop);
  for (std::size_t b = 0; b < count; ++b) {
    for (const BlockId to : function.blocks[b].end().targets) {
      auto& list = flow.after[b];
      if (std::find(list.begin(), list.end(), to) == list.end()) list.push_back(to);
    }
  }
  std::vector<BlockId> reached = postorder(0, flow.after);
  std::reverse(reached.begin(), reached.end());
  std::vector<int> number(count, -1);
  for (std::size_t i = 0; i < reached.size(); ++i) number[reached[i]] = static_cast<int>(i);
  for (std::size_t b = 0; b < count; ++b) {
    if (number[b] < 0) flow.after[b].clear();
    for (const BlockId to : flow.after[b]) flow.before[to].push_back(static_cast<BlockId>(b));
  }
  flow.dominator = closest_dominators(0, flow.after);
  // Loops by head; a jump to an earlier block that does not dominate it is none of a loop's.
  std::vector<BlockId> heads;
  for (const BlockId b : reached) {
    for (const BlockId p : flow.before[b]) {
      if (number[p] < number[b]) continue;
      if (!dominates(flow.dominator, b, p)) return std::nullopt;
      if (heads.empty() || heads.back() != b) heads.push_back(b);
    }
  }
  std::vector<std::set<BlockId>> members;
  for (const BlockId head : heads) {
    Loop loop;
    loop.head = head;
    std::set<BlockId> blocks{head};
    std::vector<BlockId> stack;
    for (const BlockId p : flow.before[head]) {
      if (number[p] >= number[head]) {
        loop.latches.push_back(p);
        stack.push_back(p);
      }
    }
    while (!stack.empty()) {
      const BlockId b = stack.back();
      stack.pop_back();
      if (!blocks.insert(b).second) continue;
      for (const BlockId p : flow.before[b]) stack.push_back(p);
    }
    members.push_back(blocks);
    flow.loops.push_back(std::move(loop));
  }
  // Heads come in reverse postorder, so a loop around another comes before it, and the last one
  // that has a block is the innermost.
  for (std::size_t l = 0; l < heads.size(); ++l) {
    flow.loops[l].parent = flow.loop[heads[l]];
    for (const BlockId b : members[l]) flow.loop[b] = static_cast<int>(l);
  }
  // Topological, a loop as one node among those around it.
  std::function<void(int)> lay = [&](int within) {
    const auto node = [&](BlockId b) {  // what stands for b on this level: a block or a head
      int l = flow.loop[b];
      if (l == within) return b;
      while (flow.loops[static_cast<std::size_t>(l)].parent != within) {
        l = flow.loops[static_cast<std::size_t>(l)].parent;
      }
      return flow.loops[static_cast<std::size_t>(l)].head;
    };
    std::vector<BlockId> here;
    std::vector<std::vector<BlockId>> after(count);
    for (const BlockId b : reached) {
      if (!flow.in_loop(b, within)) continue;
      const BlockId from = node(b);
      if (from == b) here.push_back(b);
      for (const BlockId to : flow.after[b]) {
        if (!flow.in_loop(to, within)) continue;
        if (within != kNoLoop && to == flow.loops[static_cast<std::size_t>(within)].head) continue;
        if (node(to) != from) after[from].push_back(node(to));
      }
    }
    const BlockId first = within == kNoLoop ? 0 : flow.loops[static_cast<std::size_t>(within)].head;
    std::vector<BlockId> order = postorder(node(first), after);
    std::reverse(order.begin(), order.end());
    for (const BlockId b : order) {
      if (flow.loop[b] == within) {
        flow.position[b] = static_cast<int>(flow.order.size());
        flow.order.push_back(b);
      } else {
        lay(flow.loop[b]);
      }
    }
  };
  lay(kNoLoop);
  for (const BlockId b : flow.order) {
    for (int l = flow.loop[b]; l != kNoLoop; l = flow.loops[static_cast<std::size_t>(l)].parent) {
      Loop& loop = flow.loops[static_cast<std::size_t>(l)];
      loop.blocks.push_back(b);
      for (const BlockId to : flow.after[b]) {
        if (!flow.in_loop(to, l)) {
          loop.exiting.push_back(b);
          break;
        }
      }
    }
  }
  // Dominators from the end backwards, with a block behind all that end. Loops without a way out
  // get one from their latches, so that every block has a way to the end.
  std::vector<std::vector<BlockId>> back(count + 1);
  for (const BlockId b : flow.order) {
    for (const BlockId to : flow.after[b]) back[to].push_back(b);
    if (flow.after[b].empty()) back[count].push_back(b);
  }
  for (const Loop& loop : flow.loops) {
    if (loop.exiting.empty()) {
      for (const BlockId b : loop.latches) back[count].push_back(b);
    }
  }
  const std::vector<BlockId> post = closest_dominators(static_cast<BlockId>(count), back);
  flow.post_dominator.assign(count, kNone);
  for (const BlockId b : flow.order) {
    if (post[b] != kNone && post[b] < count) flow.post_dominator[b] = post[b];
  }
  return flow;
}

bool is_own_precondition(const kernel::Instruction& claim, BlockId block) {
  // Calls are inlined; without lines only the start is the kernel's for sure.
  return claim.place.line > 0 ? !claim.inlined : block == 0;
}

}  // namespace headway::verify
