// Conditions under which code is executed, as formulas. A branch that dominates an instruction, and
// of which one way alone leads there, was decided that way when it was last come by; all values of
// its condition are those of that moment, as what they are computed from dominates it.
#include <algorithm>
#include <utility>

#include "verify/affine/values.hpp"

namespace headway::verify::affine {

using kernel::kNone;
using kernel::Op;
using kernel::Value;

namespace {
constexpr int kMostConditions = 12;
constexpr std::size_t kMostWays = 6;  // that come together
}  // namespace

Formula not_negative(Form form) {
  if (!form.is_constant()) return {Formula::Kind::not_negative, std::move(form), {}};
  return form.constant >= 0 ? all_of({}) : any_of({});
}

Formula is_zero(Form form) {
  if (!form.is_constant()) return {Formula::Kind::zero, std::move(form), {}};
  return form.constant == 0 ? all_of({}) : any_of({});
}

Formula all_of(std::vector<Formula> parts) {
  Formula result{Formula::Kind::all, {}, {}};
  for (Formula& one : parts) {
    if (one.kind == Formula::Kind::any && one.parts.empty()) return one;
    if (one.kind == Formula::Kind::all) {
      std::move(one.parts.begin(), one.parts.end(), std::back_inserter(result.parts));
    } else {
      result.parts.push_back(std::move(one));
    }
  }
  return result.parts.size() == 1 ? Formula(result.parts.front()) : result;
}

Formula any_of(std::vector<Formula> parts) {
  Formula result{Formula::Kind::any, {}, {}};
  for (Formula& one : parts) {
    if (one.says_nothing()) return one;
    if (one.kind == Formula::Kind::any) {
      std::move(one.parts.begin(), one.parts.end(), std::back_inserter(result.parts));
    } else {
      result.parts.push_back(std::move(one));
    }
  }
  return result.parts.size() == 1 ? Formula(result.parts.front()) : result;
}

Formula Values::guards(BlockId block, const Instruction& instruction) {
  std::vector<Formula> all;
  for (BlockId b = block;; b = flow_.dominator[b]) {
    for (const Instruction& i : f_.blocks[b].code) {
      if (&i == &instruction) break;
      if (is_assumed(i, b)) all.push_back(condition(i.operands[0], true));
    }
    const BlockId up = flow_.dominator[b];
    if (up == b) break;
    if (flow_.before[b].size() == 1) all.push_back(way(up, b, 0));
  }
  return all_of(std::move(all));
}

// Ends of arguments that are assumed before memory is accessed: what is computed from them may not
// wrap around then.
void Values::assume_ranges() {
  const auto is_shared = [&](ValueId address) {
    const std::set<int>& to = regions_.of_value[address];
    return std::any_of(to.begin(), to.end(), [&](int region) {
      return regions_.all[static_cast<std::size_t>(region)].shared() && !regions_.constant(region);
    });
  };
  const auto touches_memory = [&](const Instruction& i) {
    const ValueId read = kernel::read_address(i), written = kernel::written_address(i);
    return kernel::meets(i.op) || (read != kNone && is_shared(read)) ||
           (written != kNone && is_shared(written));
  };
  const auto accesses = [&](BlockId b) {
    return std::any_of(f_.blocks[b].code.begin(), f_.blocks[b].code.end(), touches_memory);
  };
  std::vector<ValueId> assumed;
  for (BlockId b = 0; b != kNone && flow_.loop[b] == kNoLoop; b = flow_.post_dominator[b]) {
    const bool late = std::any_of(flow_.order.begin(), flow_.order.end(), [&](BlockId other) {
      return flow_.position[other] < flow_.position[b] && accesses(other);
    });
    if (late) break;
    for (const Instruction& i : f_.blocks[b].code) {
      if (touches_memory(i)) break;
      if (is_assumed(i, b)) assumed.push_back(i.operands[0]);
    }
  }
  // What wraps around no more, by ends that are known, says more.
  for (int round = 0; round < 3; ++round) {
    for (const ValueId id : assumed) {
      const Formula one = condition(id, true);
      narrow(one);
      for (const Formula& part : one.parts) {
        if (one.kind == Formula::Kind::all) narrow(part);
      }
    }
    for (Number& one : arguments_) one.range = overlap(one.range, range_of_form(one.form));
    known_.clear();
    quotients_.clear();
  }
}

// By one inequality: what a symbol is at least, or at most, whatever the others are.
void Values::narrow(const Formula& formula) {
  if (formula.kind == Formula::Kind::zero) {
    narrow(not_negative(formula.form));
    narrow(not_negative(Wide{-1} * formula.form));
  }
  if (formula.kind != Formula::Kind::not_negative) return;
  for (const auto& [product_of, factor] : formula.form.parts) {
    if (product_of.size() != 1) continue;
    Form rest = formula.form;
    rest.parts.erase(product_of);
    const Wide most = range_of_form(rest).high;
    if (most >= kFar) continue;
    Range& range = symbols_[static_cast<std::size_t>(product_of.front())].range;
    // factor * s >= -most
    if (factor > 0) {
      range.low = std::max(range.low, -floor_divide(most, factor));
    } else {
      range.high = std::min(range.high, floor_divide(most, -factor));
    }
  }
}

bool Values::is_assumed(const Instruction& i, BlockId block) const {
  return i.op == Op::claim &&
         (i.claim == kernel::Claim::assumption ||
          (i.claim == kernel::Claim::precondition && is_own_precondition(i, block)));
}

// What decides that a block is left for another one.
Formula Values::way(BlockId from, BlockId to, int depth) {
  const Instruction& end = f_.blocks[from].end();
  if (end.op == Op::branch && end.targets[0] != end.targets[1]) {
    return condition(end.operands[0], end.targets[0] == to, depth);
  }
  if (end.op != Op::choose || end.targets[0] == to) return {};
  const int w = width(end.operands[0]);
  if (w == 1) return {};
  std::vector<Formula> cases;
  const Number value = as(number(end.operands[0]), w, false);
  for (std::size_t k = 0; k < end.cases.size(); ++k) {
    if (end.targets[k + 1] == to) cases.push_back(is_zero(value.form - Form(Wide{end.cases[k]})));
  }
  return any_of(std::move(cases));
}

// The same, with what led to that block from where its ways have parted.
Formula Values::arrival(BlockId from, BlockId to, int depth) {
  std::vector<Formula> all{way(from, to, depth)};
  for (BlockId b = from; b != flow_.dominator[to]; b = flow_.dominator[b]) {
    const BlockId up = flow_.dominator[b];
    if (up == b) break;
    if (flow_.before[b].size() == 1) all.push_back(way(up, b, depth));
  }
  return all_of(std::move(all));
}

Formula Values::compared(const Instruction& i, bool holds) {
  if (!f_.value(i.operands[0]).type.is_integer() || width(i.operands[0]) == 1) return {};
  const int w = width(i.operands[0]);
  const Number first = number(i.operands[0]), second = number(i.operands[1]);
  bool with_sign = kernel::class_of(i.op) == kernel::OpClass::signed_order;
  if (kernel::class_of(i.op) == kernel::OpClass::equality) {
    const Range unsigned_ones = range_of(w, false);
    with_sign = !first.range.within(unsigned_ones) || !second.range.within(unsigned_ones);
  }
  const Form a = as(first, w, with_sign).form, b = as(second, w, with_sign).form;
  const Formula less = told(b - a - Form(1)), more = told(a - b - Form(1));
  switch (kernel::as_comparison(i.op)) {
    case kernel::ComparisonOp::eq:
      return holds ? is_zero(a - b) : any_of({less, more});
    case kernel::ComparisonOp::ne:
      return holds ? any_of({less, more}) : is_zero(a - b);
    case kernel::ComparisonOp::ult:
    case kernel::ComparisonOp::slt:
      return holds ? less : told(a - b);
    case kernel::ComparisonOp::ule:
    case kernel::ComparisonOp::sle:
      return holds ? told(b - a) : more;
    case kernel::ComparisonOp::ugt:
    case kernel::ComparisonOp::sgt:
      return holds ? more : told(b - a);
    case kernel::ComparisonOp::uge:
    case kernel::ComparisonOp::sge:
      return holds ? told(a - b) : less;
  }
  std::abort();  // there are no others
}

// That a form is not negative, if ranges do not decide that.
Formula Values::told(const Form& form) const {
  const Range range = range_of_form(form);
  return range.low >= 0 ? all_of({}) : range.high < 0 ? any_of({}) : not_negative(form);
}

Formula Values::condition(ValueId id, bool holds, int depth) {
  const Value& v = f_.value(id);
  if (v.kind == Value::Kind::constant) return (v.bits != 0) == holds ? all_of({}) : any_of({});
  if (v.kind != Value::Kind::instruction || depth > kMostConditions) return {};
  const Instruction& i = *made_by_[id];
  const auto of = [&](std::size_t k, bool is) { return condition(i.operands[k], is, depth + 1); };
  if (kernel::is_comparison(i.op)) {
    // A condition that was made a number, and is compared with 0.
    const Value& zero = f_.value(i.operands[1]);
    const Instruction* const number = f_.value(i.operands[0]).kind == Value::Kind::instruction
                                          ? made_by_[i.operands[0]]
                                          : nullptr;
    if (kernel::class_of(i.op) == kernel::OpClass::equality && number != nullptr &&
        number->op == Op::zext && width(number->operands[0]) == 1 &&
        zero.kind == Value::Kind::constant && zero.bits == 0) {
      return condition(number->operands[0], (i.op == Op::ne) == holds, depth + 1);
    }
    return compared(i, holds);
  }
  if (i.op == Op::bit_and || i.op == Op::bit_or) {
    const bool both = (i.op == Op::bit_and) == holds;
    return both ? all_of({of(0, holds), of(1, holds)}) : any_of({of(0, holds), of(1, holds)});
  }
  if (i.op == Op::bit_xor) {
    return any_of({all_of({of(0, true), of(1, !holds)}), all_of({of(0, false), of(1, holds)})});
  }
  if (i.op == Op::select) {
    return any_of({all_of({of(0, true), of(1, holds)}), all_of({of(0, false), of(2, holds)})});
  }
  if (i.op != Op::phi || i.operands.size() > kMostWays) return {};
  const int loop = flow_.loop[home_[id]];
  if (loop != kNoLoop && flow_.loops[static_cast<std::size_t>(loop)].head == home_[id]) return {};
  std::vector<Formula> ways;
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    if (flow_.position[i.targets[k]] < 0) continue;
    ways.push_back(all_of({arrival(i.targets[k], home_[id], depth + 1), of(k, holds)}));
  }
  return any_of(std::move(ways));
}

// Where ways come together that are no rounds of a loop.
std::optional<Number> Values::joined(const Instruction& phi) {
  if (width(phi.result) == 1 || phi.operands.size() > kMostWays) return std::nullopt;
  std::vector<std::pair<Formula, Number>> choices;
  for (std::size_t k = 0; k < phi.operands.size(); ++k) {
    if (flow_.position[phi.targets[k]] < 0) continue;
    choices.emplace_back(arrival(phi.targets[k], home_[phi.result], 0), number(phi.operands[k]));
  }
  return chosen(phi.result, std::move(choices));
}

}  // namespace headway::verify::affine
