#include "kernel/spirv/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kernel/ir/control_flow.hpp"
#include "kernel/ir/divergence.hpp"

namespace headway::kernel::spirv {
namespace {

auto source(Together of) {
  return [of](const Instruction& i) { return source_of(i, of); };
}

class UniformJudge {
 public:
  // `leaves`: blocks on a way out of a loop that the source says is still in it.
  UniformJudge(Function& function, const std::vector<bool>& leaves)
      : function_(function), leaves_(leaves), of_subgroup_(function, source(Together::subgroup)) {}

  void judge() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      for (Instruction& i : function_.blocks[b].code) {
        if (leaves_[b] && meets(i.op)) require_same_round(b, i);
        if (!i.partial) continue;
        if (!of_subgroup_.parts(b)) {
          i.partial = false;
          continue;
        }
        require_ways_end(b, i);
      }
    }
  }

 private:
  void require_same_round(BlockId b, const Instruction& i) {
    const bool of_subgroup = i.op == Op::subgroup || i.scope == Scope::subgroup;
    if (!of_subgroup && !of_group_) of_group_.emplace(function_, source(Together::workgroup));
    if (!(of_subgroup ? of_subgroup_ : *of_group_).comes_from_rounds(b)) return;
    throw NotUniform(fmt::format("{} that threads come to in different rounds of a loop",
                                 of_subgroup ? "an operation of a subgroup" : "a barrier"),
                     i.place);
  }

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
      if (of_subgroup_.reaches(b, at) && has(at)) return true;
    }
    return false;
  }

  // Whether a thread that goes there ends without a step that others could notice.
  bool ends_at_once(BlockId b) const {
    const auto waits = [&](BlockId at) {
      const auto& code = function_.blocks[at].code;
      return of_subgroup_.reaches(at, at) ||
             std::any_of(code.begin(), code.end(), [](const Instruction& i) {
               return is_atomic(i.op) || meets(i.op) || (is_access(i.op) && i.is_volatile);
             });
    };
    if (waits(b)) return false;
    for (BlockId at = 0; at < function_.blocks.size(); ++at) {
      if (of_subgroup_.reaches(b, at) && waits(at)) return false;
    }
    return true;
  }

  // Each branch that keeps threads away from here must send them to their end, past no operation.
  void require_ways_end(BlockId b, Instruction& i) const {
    for (BlockId from = 0; from < function_.blocks.size(); ++from) {
      if (!of_subgroup_.splits(from) || !of_subgroup_.reaches(from, b)) continue;
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
      const bool between = of_subgroup_.join(from) == kNone || !of_subgroup_.passes(from, b);
      if (between && ways > 1) {
        throw NotUniform("an operation of a subgroup that only some of its threads may come to",
                         i.place);
      }
      i.late = i.late || (between && !away);
    }
  }

  Function& function_;
  const std::vector<bool>& leaves_;
  Divergence of_subgroup_;
  std::optional<Divergence> of_group_;  // where it is asked for
};

// Blocks that the source has in a loop from which none comes back to its head but by leaving it,
// where threads meet in loops at all.
std::vector<bool> leaving_loops(const Function& function) {
  std::vector<bool> result(function.blocks.size(), false);
  const bool any = std::ranges::any_of(function.blocks, [](const Block& block) {
    return !block.loops.empty() &&
           std::ranges::any_of(block.code, [](const Instruction& i) { return meets(i.op); });
  });
  if (!any) return result;
  for (const NaturalLoop& loop : natural_loops(function)) {
    for (BlockId b = 0; b < result.size(); ++b) {
      if (loop.declared[b] && !loop.blocks[b]) result[b] = true;
    }
  }
  return result;
}

}  // namespace

void require_uniform(Function& function) {
  const std::vector<bool> leaves = leaving_loops(function);
  const Instruction* asks = nullptr;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& i : function.blocks[b].code) {
      if (i.partial || (leaves[b] && meets(i.op))) asks = &i;
    }
  }
  if (asks == nullptr) return;
  if (function.blocks.size() > Divergence::kMostBlocks) {
    throw NotUniform("operations of a subgroup, or barriers in loops, in code this large",
                     asks->place);
  }
  UniformJudge(function, leaves).judge();
}

}  // namespace headway::kernel::spirv
