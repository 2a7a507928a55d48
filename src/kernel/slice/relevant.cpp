#include "kernel/slice/relevant.hpp"

#include <algorithm>
#include <set>

#include "base/graph/dominators.hpp"
#include "base/graph/scc_search.hpp"

namespace headway::kernel::slice {
namespace {

bool writes_memory(const Instruction& i) { return writes_memory(i.op) && is_memory(i.op); }

// The components of a graph of blocks.
struct Components {
  const std::vector<std::vector<BlockId>>& edges;
  std::vector<std::vector<BlockId>> all;

  std::uint32_t next(std::uint32_t node, int& cursor) const {
    const auto at = static_cast<std::size_t>(cursor);
    if (at >= edges[node].size()) return SccSearch::kNone;
    ++cursor;
    return edges[node][at];
  }
  bool component(std::span<const std::uint32_t> members) {
    all.emplace_back(members.begin(), members.end());
    return true;
  }
};

class Finder {
 public:
  Finder(const Code& code, const Observed& observed, bool ways_out)
      : code_(code), function_(code.function()), observed_(observed) {
    std::size_t instructions = 0;
    for (const Block& block : function_.blocks) instructions += block.code.size();
    result_.kept.resize(instructions);
    result_.needed.resize(function_.values.size());
    block_of_.resize(function_.values.size(), kNone);
    definition_.resize(function_.values.size(), kNone);
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      const std::vector<Instruction>& code_of = function_.blocks[b].code;
      std::vector<BlockId>& next = ways_.emplace_back();
      for (const BlockId to : code_of.back().targets) {
        const bool known = std::find(next.begin(), next.end(), to) != next.end();
        if (observed.takes(b, to) && !known) next.push_back(to);
      }
      for (std::uint32_t i = 0; i < code_of.size(); ++i) {
        if (code_of[i].result == kNone) continue;
        block_of_[code_of[i].result] = b;
        definition_[code_of[i].result] = code.number(b, i);
      }
    }
    if (ways_out) add_ways_out();
    find_joins();
  }

  Relevant run(bool waits) {
    // Some may be waited at and never passed.
    for (const BlockId b : postorder(0, ways_)) {
      const std::vector<Instruction>& all = function_.blocks[b].code;
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (meets(all[i].op)) keep(b, i);
      }
    }
    if (waits) keep_loops();
    while (!work_.empty()) {
      const auto [block, index] = work_.back();
      work_.pop_back();
      follow(block, index);
    }
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      const bool matters = result_.kept[last(b)] || ways_[b].size() < 2;
      result_.next.push_back(matters ? ways_[b] : std::vector<BlockId>());
      if (!matters && joins_[b] != kNone) result_.next.back() = {joins_[b]};
    }
    return std::move(result_);
  }

 private:
  std::uint32_t last(BlockId b) const {
    return code_.number(b, static_cast<std::uint32_t>(function_.blocks[b].code.size() - 1));
  }

  // Where the ways of each block come together, as far as they are taken. Loops without a way out
  // count as if they led to the end from everywhere.
  void find_joins() {
    const auto count = static_cast<BlockId>(function_.blocks.size());
    std::vector<std::vector<BlockId>> before(count + 1);
    for (BlockId b = 0; b < count; ++b) {
      for (const BlockId to : ways_[b]) before[to].push_back(b);
      if (ways_[b].empty()) before[count].push_back(b);
    }
    std::vector<bool> ends(count + 1);
    for (const BlockId b : postorder(count, before)) ends[b] = true;
    for (BlockId b = 0; b < count; ++b) {
      if (!ends[b]) before[count].push_back(b);
    }
    joins_ = closest_dominators(count, before);
    joins_.pop_back();
    for (BlockId& join : joins_) {
      if (join == count || join == kNotReached) join = kNone;
    }
    // A block hangs on a branch from which a way leads past it.
    hangs_on_.resize(count);
    for (BlockId b = 0; b < count; ++b) {
      if (ways_[b].size() < 2) continue;
      for (BlockId to : ways_[b]) {
        for (; to != kNone && to != joins_[b]; to = joins_[to]) hangs_on_[to].push_back(b);
      }
    }
  }

  void keep(BlockId b, std::uint32_t index) {
    const std::uint32_t number = code_.number(b, index);
    if (result_.kept[number]) return;
    result_.kept[number] = true;
    work_.emplace_back(b, index);
  }
  void keep_control(BlockId b) {
    for (const BlockId branch : hangs_on_[b]) keep_end(branch);
  }
  void keep_end(BlockId b) {
    keep(b, static_cast<std::uint32_t>(function_.blocks[b].code.size() - 1));
  }

  // Outermost ones.
  std::vector<std::set<BlockId>> loops() const {
    Components found{ways_, {}};
    SccSearch search;
    search.clear(ways_.size());
    search.visit(0, found);
    std::vector<std::set<BlockId>> result;
    for (const std::vector<BlockId>& all : found.all) {
      const auto& ways = ways_[all.front()];
      const bool turns = std::find(ways.begin(), ways.end(), all.front()) != ways.end();
      if (all.size() > 1 || turns) result.emplace_back(all.begin(), all.end());
    }
    return result;
  }

  // Blocks that nobody comes to have all their ways then.
  void add_ways_out() {
    const std::vector<std::set<BlockId>> all = loops();
    std::vector<bool> reached(ways_.size());
    for (const BlockId b : postorder(0, ways_)) reached[b] = true;
    const auto add = [&](BlockId from, BlockId to) {
      auto& ways = ways_[from];
      if (std::find(ways.begin(), ways.end(), to) == ways.end()) ways.push_back(to);
    };
    for (BlockId b = 0; b < ways_.size(); ++b) {
      if (reached[b]) continue;
      for (const BlockId to : function_.blocks[b].end().targets) add(b, to);
    }
    for (const std::set<BlockId>& loop : all) {
      const bool is_left = std::any_of(loop.begin(), loop.end(), [&](BlockId b) {
        return std::any_of(ways_[b].begin(), ways_[b].end(),
                           [&](BlockId to) { return !loop.contains(to); });
      });
      if (is_left) continue;
      for (const BlockId b : loop) {
        for (const BlockId to : function_.blocks[b].end().targets) add(b, to);
      }
    }
  }

  // Loops in which threads see each other may wait; others have been seen to end.
  void keep_loops() {
    for (const std::set<BlockId>& loop : loops()) {
      const bool sees = std::any_of(loop.begin(), loop.end(), [&](BlockId b) {
        const std::vector<Instruction>& all = function_.blocks[b].code;
        for (std::uint32_t i = 0; i < all.size(); ++i) {
          if (code_.parks(b, i)) return true;
        }
        return false;
      });
      if (!sees) continue;
      bool has_exit = false;
      for (const BlockId b : loop) {
        for (const BlockId to : ways_[b]) {
          if (loop.contains(to)) continue;
          has_exit = true;
          keep_end(b);
        }
        keep_control(b);
      }
      if (has_exit) continue;
      for (const BlockId b : loop) {
        if (ways_[b].size() > 1) keep_end(b);
      }
    }
  }

  void need(ValueId id) {
    if (function_.values[id].kind != Value::Kind::instruction || result_.needed[id]) return;
    result_.needed[id] = true;
    const BlockId b = block_of_[id];
    keep(b, definition_[id] - code_.number(b, 0));
    // It may have been kept before, for what it does.
    const Instruction& i = code_.instruction(definition_[id]);
    if (i.op == Op::subgroup || i.op == Op::barrier_reduce) {
      for (const ValueId operand : i.operands) need(operand);
    }
    if (is_memory(i.op)) need_memory(definition_[id]);
  }

  // Whatever may have written what an access reads.
  void need_memory(std::uint32_t reader) {
    const Touched* read = observed_.touched(reader);
    if (read == nullptr) return;
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      const std::vector<Instruction>& all = function_.blocks[b].code;
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (!writes_memory(all[i])) continue;
        const Touched* written = observed_.touched(code_.number(b, i));
        if (written == nullptr) continue;
        const bool meets =
            std::any_of(written->cells.begin(), written->cells.end(), [&](const CellName& cell) {
              return std::any_of(read->cells.begin(), read->cells.end(), [&](const CellName& own) {
                if (own.section != cell.section) return false;
                if (written->other) return true;
                return own.at < cell.at + static_cast<unsigned>(written->bytes) &&
                       cell.at < own.at + static_cast<unsigned>(read->bytes);
              });
            });
        if (meets) keep(b, i);
      }
    }
  }

  void follow(BlockId b, std::uint32_t index) {
    const Instruction& i = function_.blocks[b].code[index];
    keep_control(b);
    if (i.op == Op::phi) {
      for (std::size_t from = 0; from < i.targets.size(); ++from) {
        const auto& ways = ways_[i.targets[from]];
        if (std::find(ways.begin(), ways.end(), b) == ways.end()) continue;
        need(i.operands[from]);
        if (ways_[i.targets[from]].size() > 1) keep_end(i.targets[from]);
        keep_control(i.targets[from]);
      }
    } else if (!meets(i.op)) {  // whose operands are needed where somebody needs what it gives
      for (const ValueId operand : i.operands) need(operand);
    }
    // What an atomic access leaves behind hangs on what was there.
    if (i.op == Op::atomic_update || i.op == Op::atomic_compare) {
      need_memory(code_.number(b, index));
    }
  }

  const Code& code_;
  const Function& function_;
  const Observed& observed_;
  Relevant result_;
  std::vector<std::vector<BlockId>> ways_, hangs_on_;
  std::vector<BlockId> joins_, block_of_;
  std::vector<std::uint32_t> definition_;
  std::vector<std::pair<BlockId, std::uint32_t>> work_;
};

}  // namespace

Relevant find_relevant(const Code& code, const Observed& observed, bool waits, bool ways_out) {
  return Finder(code, observed, ways_out).run(waits);
}

}  // namespace headway::kernel::slice
