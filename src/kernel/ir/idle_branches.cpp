#include "kernel/ir/idle_branches.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/graph/dominators.hpp"
#include "kernel/ir/guards.hpp"
#include "kernel/ir/tidy.hpp"

namespace headway::kernel {
namespace {

// What is needed, by the rule of Cytron et al., "Efficiently computing static single assignment
// form and the control dependence graph" (1991), section 7.1: what has an effect, what that needs,
// and the branches that decide whether it comes to that.
class Needed {
 public:
  explicit Needed(const Function& function)
      : function_(function),
        definitions_(function.values.size()),
        values_(function.values.size()),
        blocks_(function.blocks.size()),
        ends_(function.blocks.size()),
        deciders_(function.blocks.size()) {
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
      for (const Instruction& i : function.blocks[b].code) {
        if (i.result != kNone) definitions_[i.result] = {&i, b};
      }
    }
    find_joins();
    find_deciders();
    begin();
    while (!next_.empty()) {
      const Instruction* i = next_.back();
      next_.pop_back();
      for (const ValueId operand : i->operands) need_value(operand);
    }
  }

  // Whether the way by which a block is left matters.
  bool decides(BlockId b) const { return ends_[b]; }
  // Where all ways from a block come together.
  BlockId join(BlockId b) const { return joins_[b]; }

 private:
  struct Definition {
    const Instruction* by = nullptr;
    BlockId in = kNone;
  };

  const std::vector<BlockId>& targets(BlockId b) const { return function_.blocks[b].end().targets; }

  // The closest block that every way from a block to an end goes through; kNone: the end, or there
  // is no way to one.
  void find_joins() {
    const auto count = static_cast<std::uint32_t>(function_.blocks.size());
    std::vector<std::vector<std::uint32_t>> before(count + 1);
    for (BlockId b = 0; b < count; ++b) {
      for (const BlockId to : targets(b)) before[to].push_back(b);
      if (targets(b).empty()) before[count].push_back(b);
    }
    const std::vector<std::uint32_t> closest = closest_dominators(count, before);
    joins_.assign(count, kNone);
    ends_somewhere_.assign(count, false);
    for (BlockId b = 0; b < count; ++b) {
      ends_somewhere_[b] = closest[b] != kNotReached;
      if (closest[b] < count) joins_[b] = closest[b];
    }
  }

  // Of each block the branches of which one way leads to it for sure, and another one may not.
  void find_deciders() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      if (targets(b).size() < 2 || !ends_somewhere_[b]) continue;
      for (const BlockId to : targets(b)) {
        for (BlockId at = to; at != kNone && at != joins_[b]; at = joins_[at]) {
          deciders_[at].push_back(b);
        }
      }
    }
  }

  void begin() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      const Block& block = function_.blocks[b];
      for (const Instruction& i : block.code) {
        const bool is_end = &i == &block.end();
        if (is_end ? i.targets.empty() : !only_gives(function_, i)) need(i, b);
      }
      // A loop goes on, or it does not; and what is in one without an end is left as it is.
      const bool goes_back = std::ranges::any_of(targets(b), [&](BlockId to) { return to <= b; });
      if (goes_back) need_block(b);
      if (!ends_somewhere_[b]) need_end(b);
    }
  }

  void need(const Instruction& i, BlockId in) {
    next_.push_back(&i);
    need_block(in);
    if (i.op != Op::phi) return;
    for (const BlockId from : i.targets) {
      need_block(from);
      need_end(from);
    }
  }

  void need_value(ValueId v) {
    if (values_[v]) return;
    values_[v] = true;
    if (definitions_[v].by != nullptr) need(*definitions_[v].by, definitions_[v].in);
  }

  void need_block(BlockId b) {
    if (blocks_[b]) return;
    blocks_[b] = true;
    for (const BlockId by : deciders_[b]) need_end(by);
  }

  void need_end(BlockId b) {
    if (ends_[b]) return;
    ends_[b] = true;
    need(function_.blocks[b].end(), b);
  }

  const Function& function_;
  std::vector<Definition> definitions_;
  std::vector<bool> values_, blocks_, ends_, ends_somewhere_;
  std::vector<std::vector<BlockId>> deciders_;
  std::vector<BlockId> joins_;
  std::vector<const Instruction*> next_;
};

}  // namespace

void drop_idle_branches(Function& function) {
  if (function.blocks.empty()) return;
  const Needed needed(function);
  std::vector<std::pair<BlockId, BlockId>> jumps;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const bool branches = function.blocks[b].end().targets.size() > 1;
    if (branches && !needed.decides(b) && needed.join(b) != kNone)
      jumps.emplace_back(b, needed.join(b));
  }
  if (jumps.empty()) return;
  for (const auto& [from, to] : jumps) {
    Instruction& end = function.blocks[from].code.back();
    Instruction jump;
    jump.op = Op::jump;
    jump.targets = {to};
    jump.place = end.place;
    end = std::move(jump);
  }
  order_blocks(function);
  drop_unused(function);
}

}  // namespace headway::kernel
