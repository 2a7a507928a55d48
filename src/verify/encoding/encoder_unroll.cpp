// Loops of few rounds whose number follows from the sizes of the launch are gone through round by
// round: exact, and without invariants. One way out, which every round comes by, and rounds that
// constants decide: of a phi's values those are followed that constants lead to.
#include <algorithm>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::Claim;
using kernel::kNone;
using kernel::Value;

namespace {

constexpr long kMostInstructions = 2500;
// Of memory that others write: pairs with a write are looked at, where no barrier is between.
constexpr long kMostAccesses = 48, kMostPairs = 256, kMostWithBarriers = 200;

}  // namespace

// The constant that a value is, where those in `known` are what they are.
std::optional<Term> Encoder::folded(ValueId id, const std::map<ValueId, Term>& known, int depth) {
  const Value& v = f_.value(id);
  if (v.type.is_pointer() || depth > 24) return std::nullopt;
  if (const auto at = known.find(id); at != known.end()) return at->second;
  if (v.kind == Value::Kind::constant) return c_.constant(v.bits, width(id));
  if (v.kind == Value::Kind::argument) {
    const Term t = values_[0][id].bits;
    return f_.parameters[v.bits].by_value == 0 && c_.is_constant(t) ? std::optional(t)
                                                                    : std::nullopt;
  }
  const Instruction* i = v.kind == Value::Kind::instruction ? definitions_[id] : nullptr;
  if (i == nullptr) return std::nullopt;
  if (i->op == Op::builtin) {
    if (i->builtin != kernel::Builtin::group_size && i->builtin != kernel::Builtin::groups &&
        i->builtin != kernel::Builtin::subgroup_size) {
      return std::nullopt;
    }
    const Term t = builtin(*i, 0);
    return c_.is_constant(t) ? std::optional(t) : std::nullopt;
  }
  const bool plain = i->op <= Op::sge || i->op == Op::trunc || i->op == Op::zext ||
                     i->op == Op::sext || i->op == Op::select;
  if (!plain) return std::nullopt;
  // Put in place of the operands for a moment, so that there is one place that computes.
  std::vector<std::pair<ValueId, Quantity>> before;
  bool all = true;
  for (const ValueId operand : i->operands) {
    const auto value = folded(operand, known, depth + 1);
    if (!value) {
      all = false;
      break;
    }
    if (f_.value(operand).kind != Value::Kind::instruction) continue;
    before.emplace_back(operand, values_[0][operand]);
    values_[0][operand] = number(*value);
  }
  std::optional<Term> result;
  if (all) {
    const Quantity q = evaluate(*i, 0);
    if (c_.is_constant(q.bits)) result = q.bits;
  }
  for (auto at = before.rbegin(); at != before.rend(); ++at) {
    values_[0][at->first] = std::move(at->second);
  }
  return result;
}

// What all rounds take; nothing where that is not known, or is too much.
std::optional<Encoder::Cost> Encoder::rounds(int which, std::map<ValueId, Term> known, int depth) {
  const Loop& loop = flow_.loops[static_cast<std::size_t>(which)];
  if (loop.exiting.size() != 1 || depth > 3) return std::nullopt;
  const BlockId exit = loop.exiting[0];
  const Instruction& end = f_.blocks[exit].end();
  if (flow_.loop[exit] != which || end.op != Op::branch) return std::nullopt;
  for (const BlockId latch : loop.latches) {
    if (!flow_.dominates(exit, latch)) return std::nullopt;
  }
  long instructions = 0, accesses = 0, writes = 0;
  bool barrier = false;
  std::vector<int> inner;
  for (const BlockId b : loop.blocks) {
    if (flow_.loop[b] != which) {
      if (flow_.loops[static_cast<std::size_t>(flow_.loop[b])].head == b &&
          flow_.loops[static_cast<std::size_t>(flow_.loop[b])].parent == which) {
        inner.push_back(flow_.loop[b]);
      }
      continue;
    }
    for (const Instruction& i : f_.blocks[b].code) {
      ++instructions;
      if (i.op == Op::barrier || i.op == Op::barrier_reduce) barrier = true;
      if (i.op == Op::async_copy || i.op == Op::wait_events || i.op == Op::annotation) {
        return std::nullopt;
      }
      if (i.op == Op::claim && i.claim != Claim::assertion && i.claim != Claim::assumption &&
          i.claim != Claim::barrier_invariant) {
        return std::nullopt;
      }
      const Touch touch = touch_of(i);
      if (!touch.reads && !touch.writes) continue;
      for (const int r : regions_.of_value[i.operands[0]]) {
        accesses += matters(r) ? 1 : 0;
        writes += matters(r) && touch.writes ? 1 : 0;
      }
    }
  }
  const auto take = [&](bool back, const std::map<ValueId, Term>& from) {
    std::map<ValueId, Term> next = known;
    for (const Instruction& i : f_.blocks[loop.head].code) {
      if (i.op != Op::phi) break;
      next.erase(i.result);
      std::optional<Term> value;
      bool one = true;
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        const BlockId p = i.targets[k];
        if (flow_.position[p] < 0) continue;
        const bool latch =
            std::find(loop.latches.begin(), loop.latches.end(), p) != loop.latches.end();
        if (latch != back) continue;
        const auto comes = folded(i.operands[k], from, 0);
        one = one && comes && (!value || *value == *comes);
        value = comes;
      }
      if (one && value) next[i.result] = *value;
    }
    return next;
  };
  known = take(false, known);
  Cost cost;
  cost.barrier = barrier;
  for (long round = 0; round <= kMostRounds; ++round) {
    cost.instructions += instructions;
    cost.accesses += accesses;
    cost.writes += writes;
    const auto condition = folded(end.operands[0], known, 0);
    if (!condition || cost.instructions > kMostInstructions) return std::nullopt;
    const bool many = cost.accesses > kMostAccesses || cost.accesses * cost.writes > kMostPairs;
    if (cost.barrier ? cost.accesses > kMostWithBarriers : many) return std::nullopt;
    // What runs before the way out is taken has been counted; loops in it run as well.
    const BlockId to = end.targets[c_.is_true(*condition) ? 0 : 1];
    const bool leaves = !flow_.in_loop(to, which);
    for (const int l : inner) {
      const BlockId head = flow_.loops[static_cast<std::size_t>(l)].head;
      if (leaves && flow_.position[head] > flow_.position[exit]) continue;
      const auto more = rounds(l, known, depth + 1);
      if (!more) return std::nullopt;
      cost.instructions += more->instructions;
      cost.accesses += more->accesses;
      cost.writes += more->writes;
      cost.barrier = cost.barrier || more->barrier;
    }
    if (leaves) return cost;
    known = take(true, known);
  }
  return std::nullopt;
}

// In a loop that is cut each access is one more that invariants of that loop are about.
bool Encoder::unrolls(int which) {
  if (!unrolling_) return false;
  const std::optional<Cost> cost = rounds(which, {}, 0);
  return cost && (open_.empty() || cost->accesses <= kMostAccesses);
}

// All rounds of a loop, with those in it; comes back behind the round in which it is left.
void Encoder::unroll(int which) {
  const Loop& loop = flow_.loops[static_cast<std::size_t>(which)];
  LoopState& state = result_.loops[static_cast<std::size_t>(which)];
  state.loop = which;
  state.unrolled = true;
  const auto is_latch = [&](BlockId b) {
    return std::find(loop.latches.begin(), loop.latches.end(), b) != loop.latches.end();
  };
  for (long round = 0;; ++round) {
    if (round > kMostRounds + 1) throw NotUnrolled();
    // The head, from outside at first, then from behind.
    std::vector<std::pair<ValueId, Quantity>> phis[2];
    Term here[2];
    for (int t = 0; t < 2; ++t) {
      std::vector<Term> ways;
      for (const BlockId p : flow_.before[loop.head]) {
        if (is_latch(p) == (round > 0)) ways.push_back(edge(p, loop.head, t));
      }
      here[t] =
          loop.head == flow_.order.front() && round == 0 ? c_.truth(true) : c_.disjunction(ways);
      for (const Instruction& i : f_.blocks[loop.head].code) {
        if (i.op != Op::phi) break;
        std::vector<std::pair<Term, Quantity>> choices;
        for (std::size_t k = 0; k < i.operands.size(); ++k) {
          if (flow_.position[i.targets[k]] < 0 || is_latch(i.targets[k]) != (round > 0)) continue;
          choices.emplace_back(edge(i.targets[k], loop.head, t), operand(i.operands[k], t));
        }
        phis[t].emplace_back(i.result, merged(choices));
      }
    }
    if (round > 0) {
      // Nobody leaves between: whoever was at the way out and stayed comes back.
      for (int t = 0; t < 2; ++t) here[t] = reached_[t][loop.exiting[0]];
    } else if (const BlockId up = flow_.dominator[loop.head]; up != loop.head &&
                                                              flow_.loop[up] == loop.parent &&
                                                              flow_.post_dominates(loop.head, up)) {
      for (int t = 0; t < 2; ++t) here[t] = reached_[t][up];
    }
    for (int t = 0; t < 2; ++t) {
      reached_[t][loop.head] = here[t];
      for (auto& [id, q] : phis[t]) values_[t][id] = std::move(q);
    }
    const BlockId exit = loop.exiting[0];
    bool left = false;
    for (std::size_t k = 0; k < loop.blocks.size() && !left; ++k) {
      const BlockId b = loop.blocks[k];
      const int inside = flow_.loop[b];
      if (inside != which) {
        // A loop in it takes care of all its blocks.
        const Loop& inner = flow_.loops[static_cast<std::size_t>(inside)];
        if (inner.head == b && inner.parent == which) unroll(inside);
        continue;
      }
      block(b);
      if (b != exit) continue;
      Term ends[2];
      for (int t = 0; t < 2; ++t) ends[t] = bits(f_.blocks[b].end().operands[0], t);
      if (!c_.is_constant(ends[0]) || ends[0] != ends[1]) throw NotUnrolled();
      const BlockId to = f_.blocks[b].end().targets[c_.is_true(ends[0]) ? 0 : 1];
      left = !flow_.in_loop(to, which);
    }
    if (left) break;
  }
}

}  // namespace headway::verify
