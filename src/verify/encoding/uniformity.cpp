#include "verify/encoding/uniformity.hpp"

#include <algorithm>

#include "kernel/ir/divergence.hpp"

namespace headway::verify {

using kernel::Instruction;
using kernel::kNone;
using kernel::Op;
using kernel::Value;
using kernel::ValueId;

namespace {

// The blocks at which ways from two targets of a block's end meet first: a label flows from each
// target; where two come together there is a join, with a label of its own.
std::vector<BlockId> joins_behind(const Flow& flow, BlockId from) {
  constexpr BlockId none = kNone;
  std::vector<BlockId> label(flow.before.size(), none);
  std::vector<bool> join(flow.before.size(), false);
  for (const BlockId to : flow.after[from]) label[to] = to;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId b : flow.order) {
      if (label[b] == none) continue;
      if (b == from) continue;  // around again: the same decision, another round
      for (const BlockId to : flow.after[b]) {
        if (join[to] || label[to] == label[b]) continue;
        changed = true;
        if (label[to] == none) {
          label[to] = label[b];
        } else {
          join[to] = true;
          label[to] = to;
        }
      }
    }
  }
  std::vector<BlockId> result;
  for (BlockId b = 0; b < join.size(); ++b) {
    if (join[b]) result.push_back(b);
  }
  return result;
}

}  // namespace

Uniformity uniformity_of(const kernel::Function& function, const Flow& flow,
                         const Regions& regions) {
  Uniformity u;
  u.value.assign(function.values.size(), Uniform::grid);
  u.loop_exit.assign(flow.loops.size(), Uniform::grid);
  std::vector<BlockId> home(function.values.size(), kNone);
  std::vector<std::vector<BlockId>> joins(function.blocks.size());
  for (const BlockId b : flow.order) {
    if (flow.after[b].size() > 1) joins[b] = joins_behind(flow, b);
    for (const Instruction& i : function.blocks[b].code) {
      if (i.result != kNone) home[i.result] = b;
    }
  }
  for (ValueId v = 0; v < function.values.size(); ++v) {
    if (function.value(v).kind == Value::Kind::undefined) u.value[v] = Uniform::no;
  }
  std::vector<Uniform> meeting(function.blocks.size(), Uniform::grid);
  // What a value is worth at a use: outside of a loop that threads leave in different rounds it
  // comes from different rounds.
  const auto used = [&](ValueId v, BlockId at) {
    Uniform level = u.value[v];
    if (home[v] == kNone) return level;
    for (int l = flow.loop[home[v]]; l != kNoLoop;
         l = flow.loops[static_cast<std::size_t>(l)].parent) {
      if (flow.in_loop(at, l)) break;
      level = std::min(level, u.loop_exit[static_cast<std::size_t>(l)]);
    }
    return level;
  };
  using Source = kernel::Divergence::Source;
  const auto gives = [&](const Instruction& i, kernel::Together of) {
    if (i.op != Op::load) return source_of(i, of);
    const bool constant =
        !i.is_volatile && std::ranges::all_of(regions.of_value[i.operands[0]], [&](int r) {
          const Region& region = regions.all[static_cast<std::size_t>(r)];
          return regions.constant(r) && region.space != kernel::Space::local && !region.of_group();
        });
    return constant ? Source::as_operands : Source::different;
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto lower = [&changed](Uniform& level, Uniform to) {
      if (to < level) {
        level = to;
        changed = true;
      }
    };
    for (const BlockId b : flow.order) {
      for (const Instruction& i : function.blocks[b].code) {
        if (i.result != kNone) {
          Uniform level = Uniform::grid;
          if (i.op == Op::phi) {
            level = meeting[b];
            for (std::size_t k = 0; k < i.operands.size(); ++k) {
              if (flow.position[i.targets[k]] < 0) continue;
              level = std::min(level, used(i.operands[k], i.targets[k]));
            }
          } else if (const Source source = gives(i, kernel::Together::workgroup);
                     source == Source::different) {
            level = Uniform::no;
          } else {
            if (gives(i, kernel::Together::grid) == Source::different) level = Uniform::group;
            if (source == Source::as_operands) {
              for (const ValueId v : i.operands) level = std::min(level, used(v, b));
            }
          }
          lower(u.value[i.result], level);
        }
      }
      const Instruction& end = function.blocks[b].end();
      if (flow.after[b].size() < 2) continue;
      const Uniform decision = used(end.operands[0], b);
      for (const BlockId j : joins[b]) lower(meeting[j], decision);
      for (int l = flow.loop[b]; l != kNoLoop; l = flow.loops[static_cast<std::size_t>(l)].parent) {
        const bool leaves = std::any_of(flow.after[b].begin(), flow.after[b].end(),
                                        [&](BlockId to) { return !flow.in_loop(to, l); });
        if (leaves) lower(u.loop_exit[static_cast<std::size_t>(l)], decision);
      }
      // A decision inside a loop by which only some threads come to a block that leaves it.
      for (int l = flow.loop[b]; l != kNoLoop; l = flow.loops[static_cast<std::size_t>(l)].parent) {
        const Loop& loop = flow.loops[static_cast<std::size_t>(l)];
        for (const BlockId e : loop.exiting) {
          if (!flow.post_dominates(e, b)) {
            lower(u.loop_exit[static_cast<std::size_t>(l)], decision);
          }
        }
      }
    }
    // Who leaves an inner loop in different rounds still comes on together.
  }
  return u;
}

}  // namespace headway::verify
