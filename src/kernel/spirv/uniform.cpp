#include "kernel/spirv/uniform.hpp"

#include <algorithm>
#include <vector>

namespace headway::kernel::spirv {
namespace {

// Values that may differ within a subgroup, and blocks that only some of its threads may run.
class Divergence {
 public:
  explicit Divergence(Function& function)
      : function_(function),
        value_(function.values.size(), false),
        block_(function.blocks.size(), false) {
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) has_partial_ = has_partial_ || i.partial;
    }
    if (!has_partial_) return;
    find_reached();
    find_joins();
    bool changes = true;
    while (changes) changes = pass();
  }

  void judge() {
    if (!has_partial_) return;
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      for (Instruction& i : function_.blocks[b].code) {
        if (!i.partial) continue;
        if (!block_[b]) {
          i.partial = false;
          continue;
        }
        require_ways_end(b, i);
      }
    }
  }

 private:
  const std::vector<BlockId>& targets(BlockId b) const { return function_.blocks[b].end().targets; }

  // For each block, those that can be reached from it, itself only through a loop.
  void find_reached() {
    const std::size_t count = function_.blocks.size();
    reached_.assign(count, std::vector<bool>(count, false));
    bool changes = true;
    while (changes) {
      changes = false;
      for (BlockId b = static_cast<BlockId>(count); b-- > 0;) {
        for (const BlockId next : targets(b)) {
          if (!reached_[b][next]) reached_[b][next] = changes = true;
          for (std::size_t to = 0; to < count; ++to) {
            if (reached_[next][to] && !reached_[b][to]) reached_[b][to] = changes = true;
          }
        }
      }
    }
  }

  // The nearest block that every way from a block to an end goes through; kNone: the end.
  void find_joins() {
    const std::size_t count = function_.blocks.size();
    // Blocks that every way goes through, the end included as number `count`.
    std::vector<std::vector<bool>> through(count, std::vector<bool>(count, true));
    bool changes = true;
    while (changes) {
      changes = false;
      for (BlockId b = static_cast<BlockId>(count); b-- > 0;) {
        std::vector<bool> meet(count, !targets(b).empty());
        for (const BlockId next : targets(b)) {
          for (std::size_t i = 0; i < count; ++i) meet[i] = meet[i] && through[next][i];
        }
        meet[b] = true;
        if (meet != through[b]) {
          through[b] = std::move(meet);
          changes = true;
        }
      }
    }
    joins_.assign(count, kNone);
    for (BlockId b = 0; b < count; ++b) {
      // The nearest is the one from which all the others are gone through.
      std::size_t most = 0;
      for (BlockId j = 0; j < count; ++j) {
        if (j == b || !through[b][j]) continue;
        const auto size =
            static_cast<std::size_t>(std::count(through[j].begin(), through[j].end(), true));
        if (joins_[b] == kNone || size > most) {
          joins_[b] = j;
          most = size;
        }
      }
    }
  }

  bool is_source(const Instruction& i) const {
    switch (i.op) {
      case Op::builtin:
        return i.builtin == Builtin::thread_id || i.builtin == Builtin::lane ||
               i.builtin == Builtin::active_mask;
      case Op::unknown:
      case Op::load:
      case Op::atomic_load:
      case Op::atomic_update:
      case Op::atomic_compare:
      case Op::external:
      case Op::annotation:
      case Op::async_copy:
        return true;
      case Op::subgroup:
        switch (i.subgroup) {
          case Subgroup::ballot:
          case Subgroup::all:
          case Subgroup::any:
          case Subgroup::all_equal:
          case Subgroup::broadcast_first:
            return false;
          case Subgroup::reduce:
            return i.cluster > 0;
          default:
            return true;
        }
      default:
        return false;
    }
  }

  bool is_divergent(BlockId b, const Instruction& i) const {
    if (block_[b] || is_source(i)) return true;
    if (i.op == Op::barrier_reduce && is_scan(i.subgroup)) return true;
    if (i.op == Op::subgroup || i.op == Op::barrier_reduce) return false;
    if (std::any_of(i.operands.begin(), i.operands.end(), [&](ValueId o) { return value_[o]; })) {
      return true;
    }
    // Which value a phi has depends on the way here.
    return i.op == Op::phi && std::any_of(i.targets.begin(), i.targets.end(), [&](BlockId from) {
             return block_[from] || splits(from);
           });
  }

  // Whether threads of a subgroup may leave a block in different directions.
  bool splits(BlockId b) const {
    const Instruction& end = function_.blocks[b].end();
    return (end.op == Op::branch || end.op == Op::choose) && value_[end.operands[0]];
  }

  bool pass() {
    bool changes = false;
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      for (const Instruction& i : function_.blocks[b].code) {
        if (i.result == kNone || value_[i.result] || !is_divergent(b, i)) continue;
        value_[i.result] = true;
        changes = true;
      }
      if (!splits(b)) continue;
      // What lies between the branch and where its ways have come together.
      std::vector<bool> seen(function_.blocks.size(), false);
      std::vector<BlockId> open = targets(b);
      while (!open.empty()) {
        const BlockId at = open.back();
        open.pop_back();
        if (at == joins_[b] || seen[at]) continue;
        seen[at] = true;
        if (!block_[at]) block_[at] = changes = true;
        for (const BlockId next : targets(at)) open.push_back(next);
      }
    }
    return changes;
  }

  bool comes_to_partial(BlockId b) const {
    const auto has = [&](BlockId at) {
      const auto& code = function_.blocks[at].code;
      return std::any_of(code.begin(), code.end(), [](const Instruction& i) {
        return i.op == Op::subgroup || (i.op == Op::barrier && i.scope == Scope::subgroup);
      });
    };
    if (has(b)) return true;
    for (BlockId at = 0; at < function_.blocks.size(); ++at) {
      if (reached_[b][at] && has(at)) return true;
    }
    return false;
  }

  // Whether a thread that goes there ends without a step that others could notice.
  bool ends_at_once(BlockId b) const {
    const auto waits = [&](BlockId at) {
      const auto& code = function_.blocks[at].code;
      return reached_[at][at] || std::any_of(code.begin(), code.end(), [](const Instruction& i) {
               switch (i.op) {
                 case Op::load:
                 case Op::store:
                   return i.is_volatile;
                 case Op::atomic_load:
                 case Op::atomic_store:
                 case Op::atomic_update:
                 case Op::atomic_compare:
                 case Op::barrier:
                 case Op::barrier_reduce:
                 case Op::subgroup:
                   return true;
                 default:
                   return false;
               }
             });
    };
    if (waits(b)) return false;
    for (BlockId at = 0; at < function_.blocks.size(); ++at) {
      if (reached_[b][at] && waits(at)) return false;
    }
    return true;
  }

  // Each branch that keeps threads away from here must send them to their end, past no operation.
  void require_ways_end(BlockId b, Instruction& i) const {
    for (BlockId from = 0; from < function_.blocks.size(); ++from) {
      if (!splits(from) || !reached_[from][b]) continue;
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
      const bool between = joins_[from] == kNone || !passes(from, b);
      if (between && ways > 1) {
        throw NotUniform("an operation of a subgroup that only some of its threads may come to",
                         i.place);
      }
      i.late = i.late || (between && !away);
    }
  }

  // Whether every way from a branch to a block goes through where the branch's ways come together.
  bool passes(BlockId from, BlockId to) const {
    std::vector<bool> seen(function_.blocks.size(), false);
    std::vector<BlockId> open = targets(from);
    while (!open.empty()) {
      const BlockId at = open.back();
      open.pop_back();
      if (at == joins_[from] || seen[at]) continue;
      if (at == to) return false;
      seen[at] = true;
      for (const BlockId next : targets(at)) open.push_back(next);
    }
    return true;
  }

  Function& function_;
  std::vector<bool> value_, block_;
  std::vector<std::vector<bool>> reached_;
  std::vector<BlockId> joins_;
  bool has_partial_ = false;
};

}  // namespace

void require_uniform(Function& function) {
  constexpr std::size_t most_blocks = 2000;
  if (function.blocks.size() > most_blocks) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.partial) throw NotUniform("operations of a subgroup in code this large", i.place);
      }
    }
  }
  Divergence(function).judge();
}

}  // namespace headway::kernel::spirv
