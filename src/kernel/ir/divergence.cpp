#include "kernel/ir/divergence.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace headway::kernel {
namespace {

using Source = Divergence::Source;

Source source_of_builtin(Builtin builtin, Together of) {
  switch (builtin) {
    case Builtin::thread_id:
    case Builtin::lane:
    case Builtin::active_mask:
      return Source::different;
    case Builtin::subgroup_id:
      return of == Together::subgroup ? Source::same : Source::different;
    case Builtin::group_id:
      return of == Together::grid ? Source::different : Source::same;
    case Builtin::group_size:
    case Builtin::groups:
    case Builtin::cooperative:
    case Builtin::subgroup_size:
    case Builtin::subgroups:
      break;
  }
  return Source::same;
}

Source source_of_subgroup(const Instruction& i) {
  switch (i.subgroup) {
    case Subgroup::ballot:
    case Subgroup::all:
    case Subgroup::any:
    case Subgroup::all_equal:
    case Subgroup::broadcast_first:
      return Source::same;
    case Subgroup::reduce:
      return i.cluster > 0 ? Source::different : Source::same;
    case Subgroup::shuffle:
    case Subgroup::shuffle_up:
    case Subgroup::shuffle_down:
    case Subgroup::shuffle_xor:
    case Subgroup::elect:
    case Subgroup::inclusive_scan:
    case Subgroup::exclusive_scan:
    case Subgroup::match_any:
    case Subgroup::count:
      break;
  }
  return Source::different;
}

}  // namespace

Divergence::Source source_of(const Instruction& i, Together of) {
  switch (class_of(i.op)) {
    case OpClass::value:
      if (i.op == Op::builtin) return source_of_builtin(i.builtin, of);
      return i.op == Op::unknown ? Source::different : Source::as_operands;
    case OpClass::arithmetic:
    case OpClass::division:
    case OpClass::shift:
    case OpClass::equality:
    case OpClass::unsigned_order:
    case OpClass::signed_order:
    case OpClass::real:
    case OpClass::real_comparison:
    case OpClass::resizing:
    case OpClass::real_conversion:
    case OpClass::reinterpretation:
      return Source::as_operands;
    case OpClass::meeting:
      if (i.op == Op::subgroup) {
        return of == Together::subgroup ? source_of_subgroup(i) : Source::different;
      }
      return of == Together::grid || is_scan(i.subgroup) ? Source::different : Source::same;
    case OpClass::plain:
    case OpClass::atomic:
    case OpClass::bulk:
    case OpClass::lifetime:
    case OpClass::asynchronous:
    case OpClass::fence:
    case OpClass::claim:
    case OpClass::annotation:
    case OpClass::call:
    case OpClass::end:
      break;
  }
  return Source::different;
}

Divergence::Divergence(const Function& function, std::function<Source(const Instruction&)> source)
    : function_(function),
      source_(std::move(source)),
      value_(function.values.size(), false),
      block_(function.blocks.size(), false) {
  assert(function.blocks.size() <= kMostBlocks);
  find_reached();
  find_joins();
  find_loops();
  while (pass()) {
  }
}

// For each block, those that can be reached from it, itself only through a loop.
void Divergence::find_reached() {
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
void Divergence::find_joins() {
  const std::size_t count = function_.blocks.size();
  // Blocks that every way goes through, the end included as number `count`.
  std::vector<std::vector<bool>> through(count, std::vector<bool>(count, true));
  bool changes = true;
  while (changes) {
    changes = false;
    for (BlockId b = static_cast<BlockId>(count); b-- > 0;) {
      // No way goes on from a trap, and none comes to an end by it.
      std::vector<bool> meet(count, function_.blocks[b].end().op != Op::ret);
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

// Natural loops, and blocks of loops that are entered at several: each of these may be where a
// round begins.
void Divergence::find_loops() {
  loops_ = natural_loops(function_);
  const std::size_t natural = loops_.size(), count = function_.blocks.size();
  for (BlockId b = 0; b < count; ++b) {
    const auto has = [b](const NaturalLoop& loop) { return loop.blocks[b]; };
    const auto end = loops_.begin() + static_cast<std::ptrdiff_t>(natural);
    if (!reached_[b][b] || std::any_of(loops_.begin(), end, has)) continue;
    std::vector<bool> with(count, false);
    for (BlockId other = 0; other < count; ++other) {
      with[other] = reached_[b][other] && reached_[other][b];
    }
    loops_.push_back({b, with, with});
  }
}

bool Divergence::differs(BlockId b, const Instruction& i) const {
  if (block_[b]) return true;
  if (i.op != Op::phi) {
    const Source source = source_(i);
    if (source != Source::as_operands) return source == Source::different;
  }
  if (std::any_of(i.operands.begin(), i.operands.end(), [&](ValueId o) { return value_[o]; })) {
    return true;
  }
  // Which value a phi has depends on the way here.
  return i.op == Op::phi && std::any_of(i.targets.begin(), i.targets.end(),
                                        [&](BlockId from) { return block_[from] || splits(from); });
}

bool Divergence::splits(BlockId b) const {
  const Instruction& end = function_.blocks[b].end();
  return (end.op == Op::branch || end.op == Op::choose) && value_[end.operands[0]];
}

// What lies between a branch and where its ways have come together.
std::vector<bool> Divergence::between(BlockId from) const {
  std::vector<bool> seen(function_.blocks.size(), false);
  std::vector<BlockId> open = targets(from);
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    if (at == joins_[from] || seen[at]) continue;
    seen[at] = true;
    for (const BlockId next : targets(at)) open.push_back(next);
  }
  return seen;
}

// Blocks of loops in which one way of a branch goes into a further round before its ways come
// together: wherever threads meet in such a loop, they may be in different rounds.
std::vector<const std::vector<bool>*> Divergence::again(BlockId from,
                                                        const std::vector<bool>& seen) const {
  std::vector<const std::vector<bool>*> result;
  for (const NaturalLoop& loop : loops_) {
    if (loop.blocks[from] && seen[loop.head]) result.push_back(&loop.declared);
  }
  return result;
}

bool Divergence::comes_from_rounds(BlockId b) const {
  return std::any_of(loops_.begin(), loops_.end(), [&](const NaturalLoop& loop) {
    return loop.declared[b] && !loop.blocks[b] && block_[loop.head];
  });
}

bool Divergence::pass() {
  bool changes = false;
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    for (const Instruction& i : function_.blocks[b].code) {
      if (i.result == kNone || value_[i.result] || !differs(b, i)) continue;
      value_[i.result] = true;
      changes = true;
    }
    if (!splits(b)) continue;
    const std::vector<bool> seen = between(b);
    std::vector<const std::vector<bool>*> apart = again(b, seen);
    apart.push_back(&seen);
    for (const std::vector<bool>* blocks : apart) {
      for (BlockId at = 0; at < function_.blocks.size(); ++at) {
        if ((*blocks)[at] && !block_[at]) block_[at] = changes = true;
      }
    }
  }
  return changes;
}

bool Divergence::passes(BlockId from, BlockId to) const {
  const std::vector<bool> seen = between(from);
  const auto all = again(from, seen);
  return !seen[to] &&
         std::none_of(all.begin(), all.end(), [&](const auto* blocks) { return (*blocks)[to]; });
}

}  // namespace headway::kernel
