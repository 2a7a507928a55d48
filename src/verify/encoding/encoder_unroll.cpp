// Loops of few rounds whose number follows from the sizes of the launch are gone through round by
// round: exact, and without invariants. One way out, which every round comes by, and rounds whose
// conditions fold to constants, as the ranges of ids make `for (i = tid; i < 32; i += 16)` do. A
// few rounds may be open, as in `for (i = tid; i < 34; i += 16)`: then threads leave in different
// ones. A loop in a loop of one round is come to once, so it may be cut as any other.
#include <algorithm>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::Claim;
using kernel::kNone;
using kernel::Value;

namespace {

// Where a first proof fails, all but the rounds may be so many times as much.
constexpr long kFar = 5;
constexpr long kMostInstructions = 5000;
// Of memory that others write: pairs with a write are looked at, where no barrier is between.
constexpr long kMostAccesses = 48, kMostPairs = 256, kMostWithBarriers = 200;
// Rounds in which some threads may leave and others not.
constexpr int kMostOpen = 4;
// Of memory that nobody writes there.
constexpr long kMostQuiet = 400;

}  // namespace

// What a value will be in the first thread, where those in `known` are what they are; what comes
// before the loop `root` is known.
std::optional<Term> Encoder::folded(ValueId id, int root, const std::map<ValueId, Term>& known,
                                    int depth) {
  const Value& v = f_.value(id);
  if (v.type.is_pointer() || depth > 24) return std::nullopt;
  if (const auto at = known.find(id); at != known.end()) return at->second;
  if (v.kind == Value::Kind::constant) return c_.constant(v.bits, width(id));
  // In a loop that is cut, each round would be an access more that invariants are about: there only
  // constants count.
  const auto counts = [this](Term t) {
    return open_.empty() || c_.is_constant(t) ? std::optional(t) : std::nullopt;
  };
  if (v.kind == Value::Kind::argument) {
    return f_.parameters[v.bits].by_value == 0 ? counts(values_[0][id].bits) : std::nullopt;
  }
  const Instruction* i = v.kind == Value::Kind::instruction ? definitions_[id] : nullptr;
  if (i == nullptr) return std::nullopt;
  if (!flow_.in_loop(defined_in_[id], root)) return counts(values_[0][id].bits);
  if (i->op == Op::builtin && i->builtin <= kernel::Builtin::groups) return counts(builtin(*i, 0));
  if (i->op == Op::phi) return folded_join(*i, root, known, depth);
  const bool plain = kernel::is_binary(i->op) || i->op == Op::select ||
                     kernel::class_of(i->op) == kernel::OpClass::resizing;
  if (!plain) return std::nullopt;
  // Put in place of the operands for a moment, so that there is one place that computes.
  std::vector<std::pair<ValueId, Quantity>> before;
  bool all = true;
  for (const ValueId operand : i->operands) {
    const auto value = folded(operand, root, known, depth + 1);
    if (!value) {
      all = false;
      break;
    }
    if (f_.value(operand).kind != Value::Kind::instruction) continue;
    before.emplace_back(operand, values_[0][operand]);
    values_[0][operand] = number(*value);
  }
  std::optional<Term> result;
  if (all) result = evaluate(*i, 0).bits;
  for (auto at = before.rbegin(); at != before.rend(); ++at) {
    values_[0][at->first] = std::move(at->second);
  }
  return result;
}

// Behind a branch of two ways: `c ? a : b`.
std::optional<Term> Encoder::folded_join(const Instruction& phi, int root,
                                         const std::map<ValueId, Term>& known, int depth) {
  const BlockId at = defined_in_[phi.result], up = flow_.dominator[at];
  const Instruction& end = f_.blocks[up].end();
  if (phi.operands.size() != 2 || end.op != Op::branch || flow_.loop[up] != flow_.loop[at] ||
      flow_.before[at].size() != 2 || !flow_.post_dominates(at, up)) {
    return std::nullopt;
  }
  const auto condition = folded(end.operands[0], root, known, depth + 1);
  if (!condition) return std::nullopt;
  std::optional<Term> way[2];
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t k = 0; k < 2; ++k) {
      const BlockId p = phi.targets[k];
      const bool direct = p == up && end.targets[side] == at;
      const bool by_block = p == end.targets[side] && p != at && flow_.before[p].size() == 1 &&
                            f_.blocks[p].end().op == Op::jump;
      if (direct || by_block) way[side] = folded(phi.operands[k], root, known, depth + 1);
    }
  }
  if (!way[0] || !way[1] || end.targets[0] == end.targets[1]) return std::nullopt;
  return c_.ite(*condition, *way[0], *way[1]);
}

// Regions that the loop writes, or that have been accessed since the last barrier.
std::set<int> Encoder::disputed(int loop) const {
  std::set<int> result;
  for (const Access& a : log_) result.insert(a.region);
  for (const BlockId b : flow_.loops[static_cast<std::size_t>(loop)].blocks) {
    for (const Instruction& i : f_.blocks[b].code) {
      if (!touch_of(i).writes) continue;
      const std::set<int>& to = regions_.of_value[i.operands[0]];
      result.insert(to.begin(), to.end());
    }
  }
  return result;
}

// What all rounds take; nothing where that is not known, or is too much. `once`: it is come to once
// at most.
std::optional<Encoder::Cost> Encoder::rounds(int which, int root, std::map<ValueId, Term> known,
                                             int depth, bool once) {
  const Loop& loop = flow_.loops[static_cast<std::size_t>(which)];
  if (loop.exiting.size() != 1 || depth > 3) return std::nullopt;
  const BlockId exit = loop.exiting[0];
  const Instruction& end = f_.blocks[exit].end();
  if (flow_.loop[exit] != which || end.op != Op::branch) return std::nullopt;
  for (const BlockId latch : loop.latches) {
    if (!flow_.dominates(exit, latch)) return std::nullopt;
  }
  // In each round, and of it behind the way out.
  long instructions = 0, accesses = 0, writes = 0, quiet = 0;
  long late_accesses = 0, late_writes = 0;
  const std::set<int> dispute = disputed(root);
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
      if (kernel::is_barrier(i.op)) barrier = true;
      if (i.op == Op::async_copy || i.op == Op::wait_events || i.op == Op::annotation) {
        return std::nullopt;
      }
      if (i.op == Op::claim && !is_of_thread(i.claim) && i.claim != Claim::barrier_invariant) {
        return std::nullopt;
      }
      const Touch touch = touch_of(i);
      if (!touch.reads && !touch.writes) continue;
      for (const int r : regions_.of_value[i.operands[0]]) {
        if (!matters(r)) continue;
        const bool calm = !dispute.contains(r) && !dispute.contains(kUnknownRegion);
        (calm ? quiet : accesses) += 1;
        if (flow_.position[b] > flow_.position[exit]) {
          late_accesses += calm ? 0 : 1;
          late_writes += touch.writes ? 1 : 0;
        }
        writes += touch.writes ? 1 : 0;
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
        const auto comes = folded(i.operands[k], root, from, 0);
        one = one && comes && (!value || *value == *comes);
        value = comes;
      }
      if (one && value) next[i.result] = *value;
    }
    return next;
  };
  known = take(false, known);
  const long times = options_.unrolls_far ? kFar : 1;
  Cost cost;
  cost.barrier = barrier;
  int come_to = 0;   // rounds that come to loops in it
  bool cut = false;  // one of these is not gone through round by round
  int open = 0;
  for (long round = 0; round <= kMostRounds; ++round) {
    cost.instructions += instructions;
    cost.accesses += accesses;
    cost.writes += writes;
    cost.quiet += quiet;
    const auto condition = folded(end.operands[0], root, known, 0);
    if (!condition || cost.instructions > times * kMostInstructions) return std::nullopt;
    const bool is_open = !c_.is_constant(*condition);
    if (is_open && (++open > kMostOpen || cost.barrier)) return std::nullopt;
    // What runs before the way out is taken has been counted; loops in it run as well.
    const BlockId to = end.targets[c_.is_true(*condition) ? 0 : 1];
    const bool leaves = !is_open && !flow_.in_loop(to, which);
    if (leaves) {
      cost.accesses -= late_accesses;
      cost.writes -= late_writes;
    }
    const bool many =
        cost.accesses > times * kMostAccesses || cost.accesses * cost.writes > times * kMostPairs;
    const bool long_way = cost.accesses + cost.quiet > times * kMostWithBarriers;
    if (cost.barrier ? long_way : many) return std::nullopt;
    if (cost.quiet > times * kMostQuiet) return std::nullopt;
    bool comes = false;
    for (const int l : inner) {
      const BlockId head = flow_.loops[static_cast<std::size_t>(l)].head;
      if (leaves && flow_.position[head] > flow_.position[exit]) continue;
      comes = true;
      const auto more = rounds(l, root, known, depth + 1, once && come_to == 0);
      cut = cut || !more;
      if (!more) continue;
      cost.instructions += more->instructions;
      cost.accesses += more->accesses;
      cost.writes += more->writes;
      cost.quiet += more->quiet;
      cost.barrier = cost.barrier || more->barrier;
    }
    come_to += comes ? 1 : 0;
    if (cut && (come_to > 1 || !once)) return std::nullopt;
    cost.once = once && come_to <= 1;
    if (leaves) return cost;
    known = take(true, known);
  }
  return std::nullopt;
}

// In a loop that is cut each access is one more that invariants of that loop are about.
std::optional<Encoder::Cost> Encoder::unrolls(int which) {
  if (!unrolling_) return std::nullopt;
  const std::optional<Cost> cost = rounds(which, which, {}, 0, true);
  if (cost && !open_.empty() && cost->accesses > kMostAccesses) return std::nullopt;
  return cost;
}

// Whether a loop, or one around it that is in `within`, is gone through.
bool Encoder::in_unrolled(int loop, int within) const {
  for (int l = loop; l != within; l = flow_.loops[static_cast<std::size_t>(l)].parent) {
    if (result_.loops[static_cast<std::size_t>(l)].unrolled) return true;
  }
  return false;
}

// All of a loop, or what its head does where it is cut.
void Encoder::begin_loop(int which) {
  if (const auto cost = unrolls(which)) {
    unroll(which, cost->once);
    return;
  }
  enter(which);
  block(flow_.loops[static_cast<std::size_t>(which)].head);
}

// What is computed in a loop and used behind it.
std::vector<kernel::ValueId> Encoder::used_behind(int loop) const {
  std::set<ValueId> used;
  for (BlockId b = 0; b < f_.blocks.size(); ++b) {
    if (flow_.in_loop(b, loop)) continue;
    for (const Instruction& i : f_.blocks[b].code) {
      for (const ValueId v : i.operands) {
        if (definitions_[v] != nullptr && flow_.in_loop(defined_in_[v], loop)) used.insert(v);
      }
    }
  }
  return {used.begin(), used.end()};
}

// Behind a loop that threads leave in different rounds: each has the values of its last one.
void Encoder::join_rounds(int which, const std::vector<ValueId>& used,
                          const std::vector<WayOut>& ways, const Term entered[2]) {
  const BlockId exit = flow_.loops[static_cast<std::size_t>(which)].exiting[0];
  const Instruction& end = f_.blocks[exit].end();
  const ValueId condition = end.operands[0];
  for (int t = 0; t < 2; ++t) {
    reached_[t][exit] = entered[t];
    for (std::size_t k = 0; k < used.size(); ++k) {
      std::vector<std::pair<Term, Quantity>> choices;
      choices.reserve(ways.size());
      for (const WayOut& way : ways) choices.emplace_back(way.left[t], way.values[t][k]);
      values_[t][used[k]] = merged(choices);
    }
    values_[t][condition] = number(c_.truth(!flow_.in_loop(end.targets[0], which)));
  }
}

// All rounds of a loop, with those in it; comes back behind the round in which it is left.
void Encoder::unroll(int which, bool once) {
  const Loop& loop = flow_.loops[static_cast<std::size_t>(which)];
  LoopState& state = result_.loops[static_cast<std::size_t>(which)];
  state.loop = which;
  state.unrolled = true;
  for (const BlockId b : loop.blocks) {
    // Loops that are never come to have no rounds.
    result_.loops[static_cast<std::size_t>(flow_.loop[b])].unrolled = true;
  }
  const std::size_t outside = open_.size();
  std::vector<WayOut> ways_out;
  std::vector<ValueId> used;
  Term entered[2], stays[2];
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
      // Whoever was at the way out and stayed comes back.
      for (int t = 0; t < 2; ++t) {
        here[t] = c_.conjunction(reached_[t][loop.exiting[0]], stays[t]);
      }
    } else if (const BlockId up = flow_.dominator[loop.head]; up != loop.head &&
                                                              flow_.loop[up] == loop.parent &&
                                                              flow_.post_dominates(loop.head, up)) {
      for (int t = 0; t < 2; ++t) here[t] = reached_[t][up];
    }
    for (int t = 0; t < 2; ++t) {
      if (round == 0) entered[t] = here[t];
      reached_[t][loop.head] = here[t];
      for (auto& [id, q] : phis[t]) values_[t][id] = std::move(q);
    }
    const BlockId exit = loop.exiting[0];
    bool left = false;
    for (std::size_t k = 0; k < loop.blocks.size() && !left; ++k) {
      const BlockId b = loop.blocks[k];
      while (open_.size() > outside && !flow_.in_loop(b, open_.back())) leave(open_.back());
      const int inside = flow_.loop[b];
      if (inside != which) {
        // A loop that is gone through takes care of all its blocks.
        const Loop& inner = flow_.loops[static_cast<std::size_t>(inside)];
        const bool begins = inner.head == b;
        if (in_unrolled(begins ? inner.parent : inside, which)) continue;
        if (!begins) {
          block(b);
        } else if (once) {
          begin_loop(inside);
        } else {
          unroll(inside, false);
        }
        continue;
      }
      block(b);
      if (b != exit) continue;
      const Instruction& end = f_.blocks[b].end();
      left = true;
      bool all_stay = true;
      for (int t = 0; t < 2; ++t) {
        const Term condition = bits(end.operands[0], t);
        stays[t] = flow_.in_loop(end.targets[0], which) ? condition : c_.negation(condition);
        left = left && c_.is_false(stays[t]);
        all_stay = all_stay && c_.is_true(stays[t]);
      }
      if (all_stay || (left && ways_out.empty())) continue;
      if (!flow_.in_loop(defined_in_[end.operands[0]], which)) throw NotUnrolled();
      if (ways_out.empty()) used = used_behind(which);
      WayOut way;
      for (int t = 0; t < 2; ++t) {
        way.left[t] = c_.conjunction(reached_[t][exit], c_.negation(stays[t]));
        for (const ValueId v : used) way.values[t].push_back(values_[t][v]);
      }
      ways_out.push_back(std::move(way));
    }
    while (open_.size() > outside) leave(open_.back());
    if (left) break;
  }
  if (!ways_out.empty()) join_rounds(which, used, ways_out, entered);
}

}  // namespace headway::verify
