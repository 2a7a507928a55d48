#include "kernel/spirv/uniform.hpp"

#include <algorithm>

#include "kernel/ir/divergence.hpp"

namespace headway::kernel::spirv {
namespace {

class UniformJudge {
 public:
  explicit UniformJudge(Function& function)
      : function_(function), divergence_(function, [](const Instruction& i) {
          return source_of(i, Together::subgroup);
        }) {}

  void judge() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      for (Instruction& i : function_.blocks[b].code) {
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
  Divergence divergence_;
};

}  // namespace

void require_uniform(Function& function) {
  const Instruction* partial = nullptr;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.partial) partial = &i;
    }
  }
  if (partial == nullptr) return;
  if (function.blocks.size() > Divergence::kMostBlocks) {
    throw NotUniform("operations of a subgroup in code this large", partial->place);
  }
  UniformJudge(function).judge();
}

}  // namespace headway::kernel::spirv
