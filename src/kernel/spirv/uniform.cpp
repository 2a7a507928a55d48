#include "kernel/spirv/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernel/ir/divergence.hpp"

namespace headway::kernel::spirv {
namespace {

class UniformJudge {
 public:
  explicit UniformJudge(Function& function)
      : function_(function),
        divergence_(function,
                    [](const Instruction& i) { return source_of(i, Together::subgroup); }),
        of_group_(function,
                  [](const Instruction& i) { return source_of(i, Together::workgroup); }) {}

  void judge() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      for (Instruction& i : function_.blocks[b].code) {
        const bool of_subgroup = i.op == Op::subgroup || i.scope == Scope::subgroup;
        if (meets(i.op) && (of_subgroup ? divergence_ : of_group_).comes_from_rounds(b)) {
          throw NotUniform(fmt::format("{} that threads come to in different rounds of a loop",
                                       of_subgroup ? "an operation of a subgroup" : "a barrier"),
                           i.place);
        }
        if (!i.partial) continue;
        if (!divergence_.parts(b)) {
          i.partial = false;
          continue;
        }
        require_ways_end(b, i);
      }
    }
  }

 private:
  const std::vector<BlockId>& targets(BlockId b) const { return function_.blocks[b].end().targets; }

  bool comes_to_partial(BlockId b) const {
    const auto has = [&](BlockId at) {
      const auto& code = function_.blocks[at].code;
      return std::any_of(code.begin(), code.end(), [](const Instruction& i) {
        return i.op == Op::subgroup || (i.op == Op::barrier && i.scope == Scope::subgroup);
      });
    };
    if (has(b)) return true;
    for (BlockId at = 0; at < function_.blocks.size(); ++at) {
      if (divergence_.reaches(b, at) && has(at)) return true;
    }
    return false;
  }

  // Whether a thread that goes there ends without a step that others could notice.
  bool ends_at_once(BlockId b) const {
    const auto waits = [&](BlockId at) {
      const auto& code = function_.blocks[at].code;
      return divergence_.reaches(at, at) ||
             std::any_of(code.begin(), code.end(), [](const Instruction& i) {
               return is_atomic(i.op) || meets(i.op) || (is_access(i.op) && i.is_volatile);
             });
    };
    if (waits(b)) return false;
    for (BlockId at = 0; at < function_.blocks.size(); ++at) {
      if (divergence_.reaches(b, at) && waits(at)) return false;
    }
    return true;
  }

  // Each branch that keeps threads away from here must send them to their end, past no operation.
  void require_ways_end(BlockId b, Instruction& i) const {
    for (BlockId from = 0; from < function_.blocks.size(); ++from) {
      if (!divergence_.splits(from) || !divergence_.reaches(from, b)) continue;
      std::size_t ways = 0;
      bool away = true;
      const std::vector<BlockId>& all = targets(from);
      for (std::size_t t = 0; t < all.size(); ++t) {
        const bool again = std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(t),
                                     all[t]) != all.begin() + static_cast<std::ptrdiff_t>(t);
        if (!again && comes_to_partial(all[t])) ++ways;
        away = away && (comes_to_partial(all[t]) || ends_at_once(all[t]));
      }
      // Behind the place where all come together again a branch makes no difference.
      const bool between = divergence_.join(from) == kNone || !divergence_.passes(from, b);
      if (between && ways > 1) {
        throw NotUniform("an operation of a subgroup that only some of its threads may come to",
                         i.place);
      }
      i.late = i.late || (between && !away);
    }
  }

  Function& function_;
  Divergence divergence_, of_group_;
};

// Whether the source has a block in a loop from which none comes back to the loop's head.
bool leaves_a_loop(const Function& function, BlockId b) {
  std::vector<bool> seen(function.blocks.size(), false);
  std::vector<BlockId> open = function.blocks[b].end().targets;
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const std::vector<BlockId>& next = function.blocks[at].end().targets;
    open.insert(open.end(), next.begin(), next.end());
  }
  const std::vector<BlockId>& loops = function.blocks[b].loops;
  return !std::all_of(loops.begin(), loops.end(), [&](BlockId head) { return seen[head]; });
}

}  // namespace

void require_uniform(Function& function) {
  const Instruction* asks = nullptr;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const bool leaves = !function.blocks[b].loops.empty() && leaves_a_loop(function, b);
    for (const Instruction& i : function.blocks[b].code) {
      if (i.partial || (leaves && meets(i.op))) asks = &i;
    }
  }
  if (asks == nullptr) return;
  if (function.blocks.size() > Divergence::kMostBlocks) {
    throw NotUniform("operations of a subgroup, or barriers in loops, in code this large",
                     asks->place);
  }
  UniformJudge(function).judge();
}

}  // namespace headway::kernel::spirv
