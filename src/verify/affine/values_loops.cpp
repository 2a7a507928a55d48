// Variables of loops that move by the same in every round: their first value, plus the round's
// number times the step. Where the condition to stay bounds one by less than what a step is from
// the end of its type, it does not wrap around, by induction: the first value is a number of the
// type, and of each later one the value before was on its side of the bound.
#include <algorithm>

#include "verify/affine/values.hpp"

namespace headway::verify::affine {

using kernel::kNone;
using kernel::Op;
using kernel::Value;

int Values::round(int loop) {
  if (const auto at = rounds_.find(loop); at != rounds_.end()) return at->second;
  const int id = add({{0, kFar}, Uniform::grid, loop, {}});
  rounds_[loop] = id;
  // No more rounds than a variable of the loop has values up to its bound.
  const Loop& shape = flow_.loops[static_cast<std::size_t>(loop)];
  for (const Instruction& phi : f_.blocks[shape.head].code) {
    if (phi.op != Op::phi) break;
    if (!f_.value(phi.result).type.is_integer() || width(phi.result) == 1) continue;
    const std::optional<Turn> turn = turn_of(phi);
    if (!turn) continue;
    const std::optional<Bound> bound = bound_of(phi, *turn);
    if (!bound) continue;
    const Number first = as(turn->first, width(phi.result), bound->with_sign);
    const bool up = turn->step.range.low > 0;
    const Wide way = up ? bound->range.high - first.range.low : first.range.high - bound->range.low;
    const Wide most = std::max<Wide>(0, way / (up ? turn->step.range.low : -turn->step.range.high));
    Range& range = symbols_[static_cast<std::size_t>(id)].range;
    range.high = std::min(range.high, most);
  }
  return id;
}

bool Values::is_outside(ValueId id, int loop) const {
  return home_[id] == kNone || !flow_.in_loop(home_[id], loop);
}

// Whether it is the same in all rounds, as what is computed in them from ids and sizes is.
bool Values::is_fixed(ValueId id, int loop, int depth) const {
  if (f_.value(id).kind == Value::Kind::undefined) return false;  // another one at each use
  if (is_outside(id, loop)) return true;
  const Instruction& i = *made_by_[id];
  if (i.op == Op::builtin) return i.builtin != kernel::Builtin::active_mask;
  const bool computes =
      kernel::is_one_of(i.op, kernel::OpClass::arithmetic, kernel::OpClass::division,
                        kernel::OpClass::shift, kernel::OpClass::resizing);
  return computes && depth < 8 &&
         std::all_of(i.operands.begin(), i.operands.end(),
                     [&](ValueId operand) { return is_fixed(operand, loop, depth + 1); });
}

// By how much `back` differs from `phi`, which it is computed from in the same round.
std::optional<Number> Values::step(ValueId back, ValueId phi, int loop, int depth) {
  const Number none{Form(), {0, 0}};
  if (back == phi) return none;
  const Instruction* const i = is_outside(back, loop) ? nullptr : made_by_[back];
  if (i == nullptr || depth > 8) return std::nullopt;
  if (i->op == Op::phi) {
    // Ways through the loop that come together, all with the same step.
    if (flow_.loop[home_[back]] != loop || home_[back] == home_[phi]) return std::nullopt;
    std::optional<Number> all;
    for (std::size_t k = 0; k < i->operands.size(); ++k) {
      if (flow_.position[i->targets[k]] < 0) continue;
      const std::optional<Number> by = step(i->operands[k], phi, loop, depth + 1);
      if (!by || (all && all->form != by->form)) return std::nullopt;
      all = by;
    }
    return all;
  }
  if (i->op != Op::add && i->op != Op::sub && i->op != Op::offset) return std::nullopt;
  for (std::size_t k = 0; k < (i->op == Op::add ? 2U : 1U); ++k) {
    const ValueId more = i->operands[1 - k];
    if (!is_fixed(more, loop, 0)) continue;
    const std::optional<Number> before = step(i->operands[k], phi, loop, depth + 1);
    if (!before) continue;
    const Number by = as(number(more), width(more), true);
    const int w = width(back);
    if (i->op == Op::sub) {
      return settled(before->form - by.form, w, sum(before->range, product({-1, -1}, by.range)));
    }
    return settled(before->form + by.form, w, sum(before->range, by.range));
  }
  return std::nullopt;
}

// Where a variable starts and by what it moves; nothing where that is not the same in all rounds.
std::optional<Values::Turn> Values::turn_of(const Instruction& phi) {
  const int loop = flow_.loop[home_[phi.result]];
  std::optional<ValueId> start;
  std::optional<Number> by;
  for (std::size_t k = 0; k < phi.operands.size(); ++k) {
    if (flow_.position[phi.targets[k]] < 0) continue;
    if (!flow_.in_loop(phi.targets[k], loop)) {
      if (start && *start != phi.operands[k]) return std::nullopt;
      start = phi.operands[k];
      continue;
    }
    const std::optional<Number> one = step(phi.operands[k], phi.result, loop, 0);
    if (!one || (by && by->form != one->form)) return std::nullopt;
    by = one;
  }
  if (!start || !by) return std::nullopt;
  if (!f_.value(phi.result).type.is_pointer()) {
    return Turn{number(*start), as(*by, width(phi.result), true), loop};
  }
  const std::optional<Number> first = offset(*start);
  if (!first) return std::nullopt;
  return Turn{*first, as(*by, 64, true), loop};
}

std::optional<Number> Values::counted(const Instruction& phi) {
  const bool is_pointer = f_.value(phi.result).type.is_pointer();
  if (!is_pointer && (!f_.value(phi.result).type.is_integer() || width(phi.result) == 1)) {
    return std::nullopt;
  }
  const std::optional<Turn> turn = turn_of(phi);
  if (!turn) return std::nullopt;
  const std::optional<Bound> bound = is_pointer ? std::nullopt : bound_of(phi, *turn);
  const int w = width(phi.result);
  const Number first = bound ? as(turn->first, w, bound->with_sign) : turn->first;
  const int k = round(turn->loop);
  const std::optional<Form> moved = product(turn->step.form, Form::of(k));
  if (!moved) return std::nullopt;
  const Range range = sum(first.range, product(turn->step.range, symbol(k).range));
  return settled(first.form + *moved, w, bound ? overlap(range, bound->range) : range);
}

// What a variable is at most, and at least, at the head: where a condition to stay sees to it.
std::optional<Values::Bound> Values::bound_of(const Instruction& phi, const Turn& turn) {
  if (turn.step.range.low <= 0 && turn.step.range.high >= 0) return std::nullopt;
  const Loop& loop = flow_.loops[static_cast<std::size_t>(turn.loop)];
  for (const BlockId b : loop.exiting) {
    const Instruction& end = f_.blocks[b].end();
    if (end.op != Op::branch || flow_.loop[b] != turn.loop) continue;
    const bool in_all = std::all_of(loop.latches.begin(), loop.latches.end(),
                                    [&](BlockId latch) { return flow_.dominates(b, latch); });
    const bool stays = flow_.in_loop(end.targets[0], turn.loop);
    if (!in_all || stays == flow_.in_loop(end.targets[1], turn.loop)) continue;
    const Value& condition = f_.value(end.operands[0]);
    if (condition.kind != Value::Kind::instruction) continue;
    const Instruction& made = *made_by_[end.operands[0]];
    if (!kernel::is_order(made.op)) continue;
    if (const std::optional<Bound> found = bound_by(made, stays, phi, turn)) return found;
  }
  return std::nullopt;
}

std::optional<Values::Bound> Values::bound_by(const Instruction& comparison, bool stays,
                                              const Instruction& phi, const Turn& turn) {
  const bool left = comparison.operands[0] == phi.result;
  if (!left && comparison.operands[1] != phi.result) return std::nullopt;
  bool below = false, strict = false, with_sign = false;
  switch (kernel::as_comparison(comparison.op)) {
    case kernel::ComparisonOp::slt:
    case kernel::ComparisonOp::ult:
      below = strict = true;
      break;
    case kernel::ComparisonOp::sle:
    case kernel::ComparisonOp::ule:
      below = true;
      break;
    case kernel::ComparisonOp::sgt:
    case kernel::ComparisonOp::ugt:
      strict = true;
      break;
    case kernel::ComparisonOp::sge:
    case kernel::ComparisonOp::uge:
      break;
    case kernel::ComparisonOp::eq:
    case kernel::ComparisonOp::ne:
      return std::nullopt;
  }
  with_sign = kernel::class_of(comparison.op) == kernel::OpClass::signed_order;
  if (!left) below = !below;
  if (!stays) {
    below = !below;
    strict = !strict;
  }
  const bool up = turn.step.range.low > 0;
  if (up != below) return std::nullopt;
  const int w = width(phi.result);
  const Range all = range_of(w, with_sign);
  const Range first = as(turn.first, w, with_sign).range;
  const Range end = as(number(comparison.operands[left ? 1 : 0]), w, with_sign).range;
  const Wide inside = strict ? 1 : 0;
  if (up) {
    const Wide top = end.high - inside + turn.step.range.high;
    if (top > all.high) return std::nullopt;
    return Bound{with_sign, {first.low, std::max(first.high, top)}};
  }
  const Wide bottom = end.low + inside + turn.step.range.low;
  if (bottom < all.low) return std::nullopt;
  return Bound{with_sign, {std::min(first.low, bottom), first.high}};
}

}  // namespace headway::verify::affine
