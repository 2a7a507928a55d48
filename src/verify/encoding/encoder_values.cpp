#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/ir/terms.hpp"
#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::Builtin;
using kernel::ComparisonOp;
using kernel::ConversionOp;
using kernel::IntegerOp;
using kernel::kNone;
using kernel::Math;
using kernel::OpClass;
using kernel::Type;
using kernel::Value;
using kernel::ValueOp;

int Encoder::width(ValueId id) const {
  const Type type = f_.value(id).type;
  return type.is_integer() && type.bits == 1 ? 0 : type.bits;
}

Term Encoder::fresh(const char* hint, ValueId id) { return c_.fresh(hint, width(id)); }

// An argument or a size, within these ends and what has been learned of it.
Term Encoder::launch_variable(const std::string& name, int width, std::uint64_t low,
                              std::uint64_t high) {
  if (const auto known = learned_.equal.find(name); known != learned_.equal.end()) {
    return c_.constant(known->second, width);
  }
  if (const auto range = learned_.range.find(name); range != learned_.range.end()) {
    low = std::max(low, range->second.first);
    high = std::min(high, range->second.second);
  }
  return c_.variable(name, width, low, high);
}

void Encoder::set_up_launch() {
  static constexpr const char* axes[] = {"x", "y", "z"};
  const kernel::SizeLimits limits = kernel::size_limits(module_.language());
  same_group_ = c_.truth(true);
  Term same_thread = c_.truth(true);
  for (std::size_t d = 0; d < 3; ++d) {
    const auto& block = options_.launch.block[d];
    const auto& grid = options_.launch.grid[d];
    size_[d] = block ? c_.constant(*block, 32)
                     : launch_variable(fmt::format("size.{}", axes[d]), 32, 1, limits.block[d]);
    groups_[d] = grid ? c_.constant(*grid, 32)
                      : launch_variable(fmt::format("groups.{}", axes[d]), 32, 1, limits.grid[d]);
    result_.sizes[d] = size_[d];
    result_.groups[d] = groups_[d];
    for (std::size_t t = 0; t < 2; ++t) {
      const std::uint64_t top = c_.node(size_[d]).range.high - 1,
                          last = c_.node(groups_[d]).range.high - 1;
      tid_[t][d] = c_.variable(fmt::format("thread{}.{}", t + 1, axes[d]), 32, 0, top);
      gid_[t][d] = c_.variable(fmt::format("group{}.{}", t + 1, axes[d]), 32, 0, last);
      assume(c_.ult(tid_[t][d], size_[d]));
      assume(c_.ult(gid_[t][d], groups_[d]));
      result_.thread_id[t][d] = tid_[t][d];
      result_.group_id[t][d] = gid_[t][d];
    }
    same_group_ = c_.conjunction(same_group_, c_.equal(gid_[0][d], gid_[1][d]));
    same_thread = c_.conjunction(same_thread, c_.equal(tid_[0][d], tid_[1][d]));
  }
  if (!options_.launch.block[0] || !options_.launch.block[1] || !options_.launch.block[2]) {
    // With as many bits as three of the largest sizes need.
    const int bits = limits.threads > 1024 ? 64 : 32;
    const auto size = [&](std::size_t d) { return c_.resize(size_[d], bits); };
    assume(c_.ule(c_.mul(c_.mul(size(0), size(1)), size(2)), c_.constant(limits.threads, bits)));
  }
  if (f_.most_threads > 0) {
    assume(c_.ule(c_.mul(c_.mul(size_[0], size_[1]), size_[2]), c_.constant(f_.most_threads, 32)));
  }
  // Of a launch of one thread that one is both: there is nobody for it to race with.
  is_single_ =
      std::all_of(size_, size_ + 3, [&](Term t) { return c_.node(t).range.high == 1; }) &&
      std::all_of(groups_, groups_ + 3, [&](Term t) { return c_.node(t).range.high == 1; });
  if (!is_single_) assume(c_.negation(c_.conjunction(same_group_, same_thread)));
  result_.same_group = same_group_;
}

void Encoder::set_up_values() {
  for (auto& of : values_) of.resize(f_.values.size());
  // Regions of arguments stand in their order behind those of objects.
  const std::size_t arguments = 2 + module_.objects.size() + f_.locals.size();
  for (ValueId id = 0; id < f_.values.size(); ++id) {
    const Value& v = f_.value(id);
    if (v.kind != Value::Kind::argument) continue;
    const kernel::Parameter& p = f_.parameters[v.bits];
    for (auto& of : values_) {
      Quantity& q = of[id];
      if (v.type.is_pointer()) {
        q.targets = {{c_.truth(true), static_cast<int>(arguments + v.bits), c_.constant(0, 64)}};
        continue;
      }
      const int w = width(id);
      if (const auto given = options_.arguments.find(p.name); given != options_.arguments.end()) {
        q.bits = c_.constant(given->second, w);
      } else {
        q.bits = launch_variable("arg." + p.name, w, 0, w > 0 ? smt::mask_of(w) : 1);
      }
    }
    if (!v.type.is_pointer()) result_.arguments.emplace_back(p.name, values_[0][id].bits);
  }
}

Quantity Encoder::operand(ValueId id, int thread) {
  const Value& v = f_.value(id);
  switch (v.kind) {
    case Value::Kind::constant:
      if (v.type.is_pointer()) {
        return {{},
                {{c_.truth(true), v.bits == 0 ? kNullRegion : kUnknownRegion,
                  c_.constant(v.bits, 64)}}};
      }
      return number(c_.constant(v.bits, width(id)));
    case Value::Kind::undefined:
      if (v.type.is_pointer()) {
        return {{}, {{c_.truth(true), kUnknownRegion, c_.fresh("undefined", 64)}}};
      }
      return number(fresh("undefined", id));
    case Value::Kind::address: {
      const int region = *regions_.of_value[id].begin();
      return {{}, {{c_.truth(true), region, c_.constant(v.bits, 64)}}};
    }
    case Value::Kind::argument:
    case Value::Kind::instruction:
      break;
  }
  return values_[thread][id];
}

Term Encoder::bits(ValueId id, int thread) {
  if (f_.value(id).type.is_pointer()) return address(targets(id, thread), thread);
  return operand(id, thread).bits;
}

std::vector<Target> Encoder::targets(ValueId id, int thread) { return operand(id, thread).targets; }

// As a number. Two regions are not held apart.
Term Encoder::address(const std::vector<Target>& all, int thread) {
  std::optional<Term> result;
  for (const Target& t : all) {
    Term at = t.offset;
    if (t.region > kUnknownRegion) {
      at = c_.add(begin_of(t.region, thread), at);
    }
    result = result ? c_.ite(t.condition, at, *result) : at;
  }
  return *result;
}

Quantity Encoder::merged(const std::vector<std::pair<Term, Quantity>>& choices) {
  if (choices.front().second.targets.empty()) {
    Term result = choices.back().second.bits;
    for (std::size_t k = choices.size() - 1; k-- > 0;) {
      result = c_.ite(choices[k].first, choices[k].second.bits, result);
    }
    return number(result);
  }
  std::map<int, Target> by_region;
  for (std::size_t k = choices.size(); k-- > 0;) {
    for (const Target& t : choices[k].second.targets) {
      const Term here = c_.conjunction(choices[k].first, t.condition);
      const auto [at, added] = by_region.try_emplace(t.region, Target{here, t.region, t.offset});
      if (added) continue;
      at->second.offset = c_.ite(here, t.offset, at->second.offset);
      at->second.condition = c_.disjunction(here, at->second.condition);
    }
  }
  Quantity q;
  for (const auto& [region, t] : by_region) q.targets.push_back(t);
  if (q.targets.size() == 1) q.targets[0].condition = c_.truth(true);
  return q;
}

// A function of its operands of which nothing else is known.
Term Encoder::opaque(const std::string& name, const Instruction& i, int thread) {
  std::vector<Term> args;
  for (const ValueId v : i.operands) args.push_back(bits(v, thread));
  return c_.apply(name, width(i.result), std::move(args));
}

Term Encoder::integer(const Instruction& i, int thread) {
  const Term a = bits(i.operands[0], thread), b = bits(i.operands[1], thread);
  const int w = c_.width(a);
  if (w == 0) return one_bit(i, thread, a, b);
  const IntegerOp op = kernel::as_integer(i.op);
  const Term defined = kernel::is_defined(c_, op, a, b);
  const Term result = kernel::integer_result(c_, op, a, b);
  if (c_.is_true(defined)) return result;
  return c_.ite(defined, result,
                opaque(fmt::format("undefined {}", kernel::name_of(i.op)), i, thread));
}

Term Encoder::one_bit(const Instruction& i, int thread, Term a, Term b) {
  switch (kernel::as_integer(i.op)) {
    case IntegerOp::add:
    case IntegerOp::sub:
    case IntegerOp::bit_xor:
      return c_.differ(a, b);
    case IntegerOp::mul:
    case IntegerOp::bit_and:
      return c_.conjunction(a, b);
    case IntegerOp::bit_or:
      return c_.disjunction(a, b);
    case IntegerOp::udiv:
    case IntegerOp::sdiv:
    case IntegerOp::urem:
    case IntegerOp::srem:
    case IntegerOp::shl:
    case IntegerOp::lshr:
    case IntegerOp::ashr:
      return opaque(fmt::format("one bit {}", kernel::name_of(i.op)), i, thread);
  }
  std::abort();  // there are no others
}

void Encoder::note_arithmetic(const Instruction& i) {
  const bool converts = i.op == Op::trunc;
  if (i.op != Op::add && i.op != Op::sub && i.op != Op::mul && i.op != Op::shl && !converts) return;
  if (width(i.result) == 0) return;
  for (int t = 0; t < 2; ++t) {
    Arithmetic one;
    one.op = i.op;
    one.result = i.result;
    one.place = i.place;
    one.a = bits(i.operands[0], t);
    if (!converts) one.b = bits(i.operands[1], t);
    one.when = reached_[t][at_];
    one.active = open_.empty() ? c_.truth(true)
                               : result_.loops[static_cast<std::size_t>(open_.back())].active[t];
    one.width = width(i.result);
    one.item = result_.conditions.items.size();
    result_.arithmetic.push_back(one);
  }
}

Term Encoder::comparison(const Instruction& i, int thread) {
  if (f_.value(i.operands[0]).type.is_pointer()) {
    // Within one region, offsets are compared: of what is before its begin they are negative.
    const auto l = targets(i.operands[0], thread), r = targets(i.operands[1], thread);
    if (l.size() == 1 && r.size() == 1 && l[0].region == r[0].region) {
      const ComparisonOp op = kernel::as_comparison(kernel::with_sign(i.op));
      return kernel::compared(c_, op, l[0].offset, r[0].offset);
    }
  }
  const Term a = bits(i.operands[0], thread), b = bits(i.operands[1], thread);
  const ComparisonOp op = kernel::as_comparison(i.op);
  if (c_.width(a) > 0) return kernel::compared(c_, op, a, b);
  const Term less = c_.conjunction(c_.negation(a), b), more = c_.conjunction(a, c_.negation(b));
  switch (op) {
    case ComparisonOp::eq:
      return c_.equal(a, b);
    case ComparisonOp::ne:
      return c_.differ(a, b);
    case ComparisonOp::ult:
    case ComparisonOp::sgt:
      return less;
    case ComparisonOp::ugt:
    case ComparisonOp::slt:
      return more;
    case ComparisonOp::ule:
    case ComparisonOp::sge:
      return c_.negation(more);
    case ComparisonOp::uge:
    case ComparisonOp::sle:
      return c_.negation(less);
  }
  std::abort();  // there are no others
}

Term Encoder::conversion(const Instruction& i, int thread) {
  const int to = width(i.result);
  const Term a = bits(i.operands[0], thread);
  switch (kernel::as_conversion(i.op)) {
    case ConversionOp::trunc:
      return c_.resize(a, to);
    case ConversionOp::zext:
      return c_.zext(a, to);
    case ConversionOp::sext:
      return c_.sext(a, to);
    case ConversionOp::bitcast:
    case ConversionOp::pointer_to_int:
      return c_.width(a) == to ? a : c_.resize(a, to);
    case ConversionOp::ftrunc:
    case ConversionOp::fext:
    case ConversionOp::real_to_uint:
    case ConversionOp::real_to_sint:
    case ConversionOp::uint_to_real:
    case ConversionOp::sint_to_real:
    case ConversionOp::int_to_pointer:  // gives no number: converted()
      break;
  }
  const Type from = f_.value(i.operands[0]).type, type = f_.value(i.result).type;
  if (from.bits > 1 && c_.is_constant(a)) {
    const auto result = kernel::converted(i.op, from, type, c_.value(a), i.saturates);
    if (result) return c_.constant(*result, to);
  }
  return opaque(fmt::format("{} {}.{}", kernel::name_of(i.op), static_cast<int>(from.bits),
                            static_cast<int>(type.bits)),
                i, thread);
}

Term Encoder::math(const Instruction& i, int thread) {
  const Type type = f_.value(i.operands[0]).type;
  const std::string name = fmt::format("math {}", static_cast<int>(i.math));
  if (!type.is_integer()) return opaque(name, i, thread);
  std::vector<Term> a;
  bool known = i.math != Math::opaque;
  for (const ValueId v : i.operands) {
    a.push_back(bits(v, thread));
    known = known && c_.is_constant(a.back());
  }
  const int w = c_.width(a[0]);
  if (known && w > 0) {
    const auto at = [&](std::size_t k) { return k < a.size() ? c_.value(a[k]) : 0; };
    if (const auto result = kernel::math_result(i.math, type, f_.value(i.result).type, at(0), at(1),
                                                at(2), kernel::ComputedBy::device)) {
      return c_.constant(*result, width(i.result));
    }
  }
  if (w == 0) return opaque(name, i, thread);
  switch (i.math) {
    case Math::smin:
      return c_.ite(c_.slt(a[0], a[1]), a[0], a[1]);
    case Math::smax:
      return c_.ite(c_.slt(a[1], a[0]), a[0], a[1]);
    case Math::umin:
      return c_.ite(c_.ult(a[0], a[1]), a[0], a[1]);
    case Math::umax:
      return c_.ite(c_.ult(a[1], a[0]), a[0], a[1]);
    case Math::abs:
      return c_.ite(c_.slt(a[0], c_.constant(0, w)), c_.neg(a[0]), a[0]);
    case Math::mul_high_s:
    case Math::mul_high_u:
      if (w <= 32) {
        const bool is_signed = i.math == Math::mul_high_s;
        const Term x = is_signed ? c_.sext(a[0], 2 * w) : c_.zext(a[0], 2 * w);
        const Term y = is_signed ? c_.sext(a[1], 2 * w) : c_.zext(a[1], 2 * w);
        return c_.extract(c_.mul(x, y), w, w);
      }
      break;
    case Math::funnel_left:
    case Math::funnel_right:
      if (c_.is_constant(a[2])) {
        const std::uint64_t by = c_.value(a[2]) % static_cast<std::uint64_t>(w);
        const bool left = i.math == Math::funnel_left;
        if (by == 0) return left ? a[0] : a[1];
        const std::uint64_t up = left ? by : static_cast<std::uint64_t>(w) - by;
        return c_.bit_or(c_.shl(a[0], c_.constant(up, w)),
                         c_.lshr(a[1], c_.constant(static_cast<std::uint64_t>(w) - up, w)));
      }
      break;
    case Math::reverse_bits:
    case Math::swap_bytes: {
      // Halves change places, then halves of halves, down to bits or bytes.
      if (!std::has_single_bit(static_cast<unsigned>(w))) break;
      Term value = a[0];
      for (int half = w / 2; half >= (i.math == Math::swap_bytes ? 8 : 1); half /= 2) {
        std::uint64_t low = 0;
        for (int at = 0; at < w; at += 2 * half) low |= smt::mask_of(half) << at;
        const Term by = c_.constant(static_cast<std::uint64_t>(half), w),
                   mask = c_.constant(low, w);
        value =
            c_.bit_or(c_.shl(c_.bit_and(value, mask), by), c_.bit_and(c_.lshr(value, by), mask));
      }
      return value;
    }
    case Math::uadd_sat: {
      const Term sum = c_.add(a[0], a[1]);
      return c_.ite(c_.ult(sum, a[0]), c_.constant(smt::mask_of(w), w), sum);
    }
    case Math::usub_sat:
      return c_.ite(c_.ult(a[0], a[1]), c_.constant(0, w), c_.sub(a[0], a[1]));
    default:
      break;
  }
  return opaque(name, i, thread);
}

// Equal factors have equal products: solvers that look at bits are slow to see it, and workgroups
// share many.
Term Encoder::same_product(const Instruction& i, Term first, Term second) {
  std::vector<Term> same;
  for (const ValueId id : i.operands) {
    const Term a = bits(id, 0), b = bits(id, 1);
    if (c_.is_constant(a) || c_.is_constant(b)) return second;
    same.push_back(c_.equal(a, b));
  }
  return c_.ite(c_.conjunction(same), first, second);
}

Term Encoder::linear_id(int thread) {
  return c_.add(tid_[thread][0],
                c_.mul(size_[0], c_.add(tid_[thread][1], c_.mul(size_[1], tid_[thread][2]))));
}

Term Encoder::same_subgroup() {
  const Term size = c_.constant(options_.launch.subgroup, 32);
  return c_.conjunction(same_group_,
                        c_.equal(c_.udiv(linear_id(0), size), c_.udiv(linear_id(1), size)));
}

Term Encoder::builtin(const Instruction& i, int thread) {
  const std::size_t d = i.dimension;
  const Term subgroup = c_.constant(options_.launch.subgroup, 32);
  Term value;
  switch (i.builtin) {
    case Builtin::thread_id:
      value = tid_[thread][d];
      break;
    case Builtin::group_id:
      value = gid_[thread][d];
      break;
    case Builtin::group_size:
      value = size_[d];
      break;
    case Builtin::groups:
      value = groups_[d];
      break;
    case Builtin::cooperative:  // a premise of the function
      value = c_.constant(1, 32);
      break;
    case Builtin::lane:
      value = c_.urem(linear_id(thread), subgroup);
      break;
    case Builtin::subgroup_id:
      value = c_.udiv(linear_id(thread), subgroup);
      break;
    case Builtin::subgroup_size:
      value = subgroup;
      break;
    case Builtin::subgroups: {
      const Term all = c_.mul(size_[0], c_.mul(size_[1], size_[2]));
      value = c_.udiv(c_.add(all, c_.constant(options_.launch.subgroup - 1, 32)), subgroup);
      break;
    }
    case Builtin::active_mask:
      return fresh("active", i.result);
  }
  return c_.resize(value, width(i.result));
}

Quantity Encoder::evaluate(const Instruction& i, int thread) {
  const bool is_pointer = f_.value(i.result).type.is_pointer();
  switch (kernel::class_of(i.op)) {
    case OpClass::arithmetic:
    case OpClass::division:
    case OpClass::shift:
      return number(integer(i, thread));
    case OpClass::equality:
    case OpClass::unsigned_order:
    case OpClass::signed_order:
      return number(comparison(i, thread));
    case OpClass::real:
      return number(opaque(fmt::format("real {}", kernel::name_of(i.op)), i, thread));
    case OpClass::real_comparison: {
      const bool known =
          i.compare == kernel::Compare::never || i.compare == kernel::Compare::always;
      if (known) return number(c_.truth(i.compare == kernel::Compare::always));
      const Type type = f_.value(i.operands[0]).type;
      const Term a = bits(i.operands[0], thread), b = bits(i.operands[1], thread);
      if (c_.is_constant(a) && c_.is_constant(b)) {
        return number(
            c_.truth(kernel::real_comparison(i.compare, type.bits, c_.value(a), c_.value(b))));
      }
      return number(opaque(fmt::format("compare {}", static_cast<int>(i.compare)), i, thread));
    }
    case OpClass::resizing:
    case OpClass::real_conversion:
      return number(conversion(i, thread));
    case OpClass::reinterpretation:
      if (i.op == Op::int_to_pointer) {
        return {{}, {{c_.truth(true), kUnknownRegion, c_.resize(bits(i.operands[0], thread), 64)}}};
      }
      if (i.op == Op::bitcast && is_pointer) return operand(i.operands[0], thread);
      return number(conversion(i, thread));
    case OpClass::value:
      return value(i, thread);
    case OpClass::plain:
      return load(i, thread);  // a store gives nothing
    case OpClass::atomic: {
      if (is_pointer) return {{}, {{c_.truth(true), kUnknownRegion, c_.fresh("atomic", 64)}}};
      const Term given = fresh("atomic", i.result);
      if (i.op == Op::atomic_update) draw(i, thread, given);
      return number(given);
    }
    case OpClass::meeting:
      if (is_pointer) return {{}, {{c_.truth(true), kUnknownRegion, c_.fresh("unknown", 64)}}};
      return number(fresh("subgroup", i.result));
    case OpClass::annotation:
      return annotation(i, thread);
    case OpClass::bulk:  // these give nothing, or are not for here
    case OpClass::lifetime:
    case OpClass::asynchronous:
    case OpClass::fence:
    case OpClass::claim:
    case OpClass::call:
    case OpClass::end:
      break;
  }
  throw Unsupported{"an instruction that verify does not know", i.place};
}

Quantity Encoder::value(const Instruction& i, int thread) {
  switch (kernel::as_value(i.op)) {
    case ValueOp::select: {
      const Term condition = bits(i.operands[0], thread);
      return merged({{condition, operand(i.operands[1], thread)},
                     {c_.negation(condition), operand(i.operands[2], thread)}});
    }
    case ValueOp::offset: {
      Quantity q = operand(i.operands[0], thread);
      const Term by = c_.sext(bits(i.operands[1], thread), 64);
      for (Target& t : q.targets) t.offset = c_.add(t.offset, by);
      return q;
    }
    case ValueOp::math:
      return number(math(i, thread));
    case ValueOp::builtin:
      return number(builtin(i, thread));
    case ValueOp::unknown:
      if (f_.value(i.result).type.is_pointer()) {
        return {{}, {{c_.truth(true), kUnknownRegion, c_.fresh("unknown", 64)}}};
      }
      return number(fresh("unknown", i.result));
    case ValueOp::phi:  // where a block is entered
      break;
  }
  throw Unsupported{"an instruction that verify does not know", i.place};
}

}  // namespace headway::verify
