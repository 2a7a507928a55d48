#include "verify/affine/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "kernel/ir/premises.hpp"

namespace headway::verify::affine {

using kernel::Builtin;
using kernel::kNone;
using kernel::Math;
using kernel::Op;
using kernel::Value;

namespace {

// Factors of forms stay below this, so that no product of two gets around 2^127.
constexpr Wide kMostFactor = Wide{1} << 60;

Wide power_of_two(int exponent) { return Wide{1} << exponent; }

// What is congruent to it modulo 2^width and closest to 0.
Wide closest(Wide number, int width) {
  const Wide all = power_of_two(width), half = all / 2;
  Wide rest = number % all;
  if (rest < 0) rest += all;
  return rest >= half ? rest - all : rest;
}

}  // namespace

Values::Values(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
               const Options& options, const Learned& learned)
    : module_(module),
      f_(function),
      flow_(flow),
      options_(options),
      regions_(regions_of(module, function)),
      uniformity_(uniformity_of(function, flow, regions_)),
      made_by_(function.values.size(), nullptr),
      home_(function.values.size(), kNone) {
  for (const BlockId b : flow.order) {
    for (const Instruction& i : function.blocks[b].code) {
      if (i.result == kNone) continue;
      made_by_[i.result] = &i;
      home_[i.result] = b;
    }
  }
  set_up_launch(options, learned);
  assume_ranges();
}

int Values::add(Symbol symbol) {
  symbols_.push_back(std::move(symbol));
  return static_cast<int>(symbols_.size()) - 1;
}

void Values::set_up_launch(const Options& options, const Learned& learned) {
  static constexpr const char* axes[] = {"x", "y", "z"};
  const kernel::SizeLimits limits = kernel::size_limits(module_.language());
  const auto known = [&](const std::string& name, Range range) {
    const auto equal = learned.equal.find(name);
    if (equal != learned.equal.end()) return Range{Wide{equal->second}, Wide{equal->second}};
    const auto within = learned.range.find(name);
    if (within == learned.range.end()) return range;
    return overlap(range, {Wide{within->second.first}, Wide{within->second.second}});
  };
  const auto of_launch = [&](const std::string& name, Range range) {
    range = known(name, range);
    if (range.low == range.high) return Number{Form(range.low), range};
    return Number{Form::of(add({range, Uniform::grid, kNoLoop, {}})), range};
  };
  for (std::size_t d = 0; d < 3; ++d) {
    const auto size = [&](const std::optional<std::uint32_t>& given, const char* name,
                          std::uint32_t most) {
      if (given) return Number{Form(Wide{*given}), {Wide{*given}, Wide{*given}}};
      return of_launch(fmt::format("{}.{}", name, axes[d]), {1, Wide{most}});
    };
    size_[d] = size(options.launch.block[d], "size", limits.block[d]);
    groups_[d] = size(options.launch.grid[d], "groups", limits.grid[d]);
    const auto below = [&](const Number& end, Uniform uniform) {
      const int id = add({{0, end.range.high - 1}, uniform, kNoLoop, {}});
      symbols_.back().fact = not_negative(end.form - Form::of(id) - Form(1));
      return id;
    };
    thread_[d] = below(size_[d], Uniform::no);
    group_[d] = below(groups_[d], Uniform::group);
  }
  for (const kernel::Parameter& p : f_.parameters) {
    const int w = p.type.bits;
    if (!p.type.is_integer()) {
      arguments_.emplace_back();
      continue;
    }
    const auto given = options.arguments.find(p.name);
    if (given != options.arguments.end()) {
      const Wide value = closest(Wide{given->second}, w);
      arguments_.push_back({Form(value), {value, value}});
      continue;
    }
    // With sign, where nothing says that it is none.
    const Range all = range_of(w, false), range = known("arg." + p.name, all);
    const bool open = !range.within(range_of(w, true)) && all.within(range);
    arguments_.push_back(of_launch("arg." + p.name, open ? range_of(w, true) : range));
    if (open) {
      const Range own = range_of(w, true);
      arguments_.back() = {Form::of(add({own, Uniform::grid, kNoLoop, {}})), own};
    }
  }
}

Range Values::range_of_form(const Form& form) const {
  Range all{form.constant, form.constant};
  for (const auto& [product_of, factor] : form.parts) {
    Range part{factor, factor};
    for (const int s : product_of) part = product(part, symbol(s).range);
    all = sum(all, part);
  }
  return all;
}

std::optional<Number> Values::settled(const Form& form, int width,
                                      std::optional<Range> range) const {
  bool changed = false;
  Form result;
  for (const auto& [product_of, factor] : form.parts) {
    const Wide near = closest(factor, width);
    changed = changed || near != factor;
    if (near != 0) result.parts[product_of] = near;
    if (near > kMostFactor || near < -kMostFactor) return std::nullopt;
  }
  result.constant = closest(form.constant, width);
  // A constant that fits without sign stays, so that ranges do.
  if (range && form.constant >= 0 && form.constant < power_of_two(width)) {
    result.constant = form.constant;
  }
  changed = changed || result.constant != form.constant;
  Range own = range_of_form(result);
  if (range && !changed) own = overlap(own, *range);
  return Number{std::move(result), own};
}

// Its quotient by a number: so that what is left is from `least` on, and below that much more.
int Values::quotient(const Form& form, Wide divisor, Wide least) {
  const auto key = std::make_tuple(form, divisor, least);
  if (const auto at = quotients_.find(key); at != quotients_.end()) return at->second;
  const Range range = range_of_form(form);
  const auto end = [&](Wide of) {
    return of <= -kFar || of >= kFar ? of : floor_divide(of - least, divisor);
  };
  Symbol result{{end(range.low), end(range.high)}, Uniform::grid, kNoLoop, {}};
  for (const auto& [product_of, factor] : form.parts) {
    for (const int s : product_of) {
      const Symbol& one = symbol(s);
      result.uniform = std::min(result.uniform, one.uniform);
      if (one.loop == kNoLoop || one.loop == result.loop) continue;
      const auto head = [&](int loop) { return flow_.loops[static_cast<std::size_t>(loop)].head; };
      const bool inner = result.loop == kNoLoop || flow_.in_loop(head(one.loop), result.loop);
      if (!inner && !flow_.in_loop(head(result.loop), one.loop)) result.uniform = Uniform::no;
      if (inner) result.loop = one.loop;
    }
  }
  const int id = add(std::move(result));
  const Form left = form - divisor * Form::of(id);
  symbols_.back().fact =
      all_of({not_negative(left - Form(least)), not_negative(Form(least + divisor - 1) - left)});
  quotients_[key] = id;
  return id;
}

// As a number with sign or without: then the form is its value.
Number Values::as(const Number& number, int width, bool with_sign) {
  const Range all = range_of(width, with_sign);
  if (number.range.within(all)) return number;
  const Wide modulus = power_of_two(width);
  if (number.form.is_constant()) {
    Wide value = closest(number.form.constant, width);
    if (!with_sign && value < 0) value += modulus;
    return {Form(value), {value, value}};
  }
  const int times = quotient(number.form, modulus, all.low);
  return {number.form - modulus * Form::of(times), all};
}

// Rounded down; the number is its form's value.
std::optional<Number> Values::divided(const Number& number, Wide divisor) {
  Form whole, rest;
  for (const auto& [product_of, factor] : number.form.parts) {
    if (factor % divisor == 0) {
      whole.parts[product_of] = factor / divisor;
    } else {
      rest.parts[product_of] = factor;
    }
  }
  whole.constant = floor_divide(number.form.constant, divisor);
  rest.constant = number.form.constant - whole.constant * divisor;
  const Range left = range_of_form(rest);
  Range range{floor_divide(number.range.low, divisor), floor_divide(number.range.high, divisor)};
  if (number.range.low <= -kFar) range.low = -kFar;
  if (number.range.high >= kFar) range.high = kFar;
  if (left.low >= 0 && left.high < divisor) return Number{whole, range};
  return Number{whole + Form::of(quotient(rest, divisor, 0)), range};
}

Number Values::unknown(ValueId id) {
  const auto [at, added] = unknown_.try_emplace(id, 0);
  if (added) {
    const int w = width(id);
    const Range range = w == 1 ? Range{0, 1} : range_of(w, true);
    const int loop = home_[id] == kNone ? kNoLoop : flow_.loop[home_[id]];
    at->second = add({range, uniformity_.value[id], loop, {}});
  }
  return {Form::of(at->second), symbol(at->second).range};
}

Number Values::number(ValueId id) {
  const Value& v = f_.value(id);
  switch (v.kind) {
    case Value::Kind::constant: {
      const Wide value = v.type.bits == 1 ? Wide{v.bits} : closest(Wide{v.bits}, v.type.bits);
      return {Form(value), {value, value}};
    }
    case Value::Kind::argument:
      return arguments_[v.bits];
    case Value::Kind::undefined: {  // another one at each use
      const Range range = v.type.bits == 1 ? Range{0, 1} : range_of(v.type.bits, true);
      return {Form::of(add({range, Uniform::no, kNoLoop, {}})), range};
    }
    case Value::Kind::address:
      break;  // no integer
    case Value::Kind::instruction: {
      if (const auto at = known_.find(id); at != known_.end()) return at->second;
      // What depends on itself is left open there.
      if (!open_.insert(id).second) return unknown(id);
      const std::optional<Number> found = computed(*made_by_[id]);
      open_.erase(id);
      return known_[id] = found ? *found : unknown(id);
    }
  }
  std::abort();  // there are no others
}

std::optional<Number> Values::computed(const Instruction& i) {
  if (!f_.value(i.result).type.is_integer()) return std::nullopt;
  switch (kernel::class_of(i.op)) {
    case kernel::OpClass::arithmetic:
    case kernel::OpClass::division:
    case kernel::OpClass::shift:
      return width(i.result) > 1 ? arithmetic(i) : std::nullopt;
    case kernel::OpClass::resizing:
      return resized(i);
    case kernel::OpClass::value:
      return value(i);
    case kernel::OpClass::equality:  // conditions: guards.cpp
    case kernel::OpClass::unsigned_order:
    case kernel::OpClass::signed_order:
    case kernel::OpClass::real:
    case kernel::OpClass::real_comparison:
    case kernel::OpClass::real_conversion:
    case kernel::OpClass::reinterpretation:
    case kernel::OpClass::plain:
    case kernel::OpClass::atomic:
    case kernel::OpClass::bulk:
    case kernel::OpClass::lifetime:
    case kernel::OpClass::asynchronous:
    case kernel::OpClass::fence:
    case kernel::OpClass::meeting:
    case kernel::OpClass::claim:
    case kernel::OpClass::annotation:
    case kernel::OpClass::call:
    case kernel::OpClass::end:
      return std::nullopt;
  }
  std::abort();  // there are no others
}

std::optional<Number> Values::resized(const Instruction& i) {
  const int from = width(i.operands[0]), to = width(i.result);
  if (i.op == Op::trunc) {
    return to == 1 ? std::nullopt : settled(number(i.operands[0]).form, to);
  }
  if (from > 1) return as(number(i.operands[0]), from, i.op == Op::sext);
  if (i.op == Op::sext) return std::nullopt;
  // Of a condition: 1 where it holds.
  const auto told = [&](bool holds) {
    return std::pair(condition(i.operands[0], holds), Number{Form(holds), {holds, holds}});
  };
  return chosen(i.result, {told(true), told(false)});
}

std::optional<Number> Values::value(const Instruction& i) {
  switch (kernel::as_value(i.op)) {
    case kernel::ValueOp::phi: {
      const int loop = flow_.loop[home_[i.result]];
      const bool at_head =
          loop != kNoLoop && flow_.loops[static_cast<std::size_t>(loop)].head == home_[i.result];
      return at_head ? counted(i) : joined(i);
    }
    case kernel::ValueOp::builtin:
      return builtin(i);
    case kernel::ValueOp::select:
      if (width(i.result) == 1) return std::nullopt;
      return chosen(i.result, {{condition(i.operands[0], true), number(i.operands[1])},
                               {condition(i.operands[0], false), number(i.operands[2])}});
    case kernel::ValueOp::math:
      return bounded_by_operands(i);
    case kernel::ValueOp::offset:  // gives a pointer
    case kernel::ValueOp::unknown:
      return std::nullopt;
  }
  std::abort();  // there are no others
}

std::optional<Number> Values::arithmetic(const Instruction& i) {
  const int w = width(i.result);
  const Number a = number(i.operands[0]), b = number(i.operands[1]);
  const bool constant = b.form.is_constant();
  const Wide by = constant ? as(b, w, false).form.constant : 0;
  switch (kernel::as_integer(i.op)) {
    case kernel::IntegerOp::add:
      return settled(a.form + b.form, w, sum(a.range, b.range));
    case kernel::IntegerOp::sub:
      return settled(a.form - b.form, w, sum(a.range, product({-1, -1}, b.range)));
    case kernel::IntegerOp::mul: {
      const std::optional<Form> all = product(a.form, b.form);
      return all ? settled(*all, w, product(a.range, b.range)) : std::nullopt;
    }
    case kernel::IntegerOp::shl:
      if (!constant || by >= w) return std::nullopt;
      return settled(power_of_two(static_cast<int>(by)) * a.form, w,
                     product(a.range, {power_of_two(static_cast<int>(by)),
                                       power_of_two(static_cast<int>(by))}));
    case kernel::IntegerOp::lshr:
    case kernel::IntegerOp::ashr:
      if (!constant || by >= w) return std::nullopt;
      return divided(as(a, w, i.op == Op::ashr), power_of_two(static_cast<int>(by)));
    case kernel::IntegerOp::udiv:
      return constant && by > 0 ? divided(as(a, w, false), by) : std::nullopt;
    case kernel::IntegerOp::sdiv:
      // Rounded towards zero, and so down from there on.
      if (!constant || by <= 0 || by >= power_of_two(w - 1) || a.range.low < 0) return std::nullopt;
      if (!a.range.within(range_of(w, true))) return std::nullopt;
      return divided(a, by);
    case kernel::IntegerOp::srem:
      if (a.range.low < 0 || !a.range.within(range_of(w, true))) return std::nullopt;
      if (by >= power_of_two(w - 1)) return std::nullopt;
      [[fallthrough]];
    case kernel::IntegerOp::urem: {
      if (!constant || by <= 0) return std::nullopt;
      const Number whole = as(a, w, false);
      const std::optional<Number> quotient = divided(whole, by);
      Range range{0, by - 1};
      if (whole.range.low >= 0) range.high = std::min(range.high, whole.range.high);
      return settled(whole.form - by * quotient->form, 64, range);
    }
    case kernel::IntegerOp::bit_and:
      if (constant) return masked(i, a, by);
      if (a.form.is_constant()) return masked(i, b, as(a, w, false).form.constant);
      return std::nullopt;
    case kernel::IntegerOp::bit_or:
    case kernel::IntegerOp::bit_xor: {
      // Of numbers without a bit in common it is their sum.
      for (const auto& [high, low] : {std::pair(a, b), std::pair(b, a)}) {
        if (low.range.low < 0 || low.range.high >= kMostFactor) continue;
        const Wide unit =
            static_cast<Wide>(std::bit_ceil(static_cast<std::uint64_t>(low.range.high) + 1));
        const bool apart = high.form.constant % unit == 0 &&
                           std::all_of(high.form.parts.begin(), high.form.parts.end(),
                                       [&](const auto& part) { return part.second % unit == 0; });
        if (apart) return settled(a.form + b.form, w, sum(a.range, b.range));
      }
      return std::nullopt;
    }
  }
  std::abort();  // there are no others
}

// The lowest bits of a number, or all but these.
std::optional<Number> Values::masked(const Instruction& i, const Number& a, Wide mask) {
  const int w = width(i.result);
  const auto low_bits = [&](Wide bits) {
    return bits > 0 && std::has_single_bit(static_cast<std::uint64_t>(bits) + 1) &&
           bits < power_of_two(w - 1);
  };
  const Wide other = power_of_two(w) - 1 - mask;
  if (!low_bits(mask) && !low_bits(other)) {
    if (mask >= power_of_two(w - 1)) return std::nullopt;
    const Number any = unknown(i.result);
    symbols_[static_cast<std::size_t>(any.form.parts.begin()->first[0])].range = {0, mask};
    return Number{any.form, {0, mask}};
  }
  const Number whole = as(a, w, false);
  const Wide unit = low_bits(mask) ? mask + 1 : other + 1;
  const std::optional<Number> quotient = divided(whole, unit);
  if (low_bits(mask)) return settled(whole.form - unit * quotient->form, 64, Range{0, mask});
  return settled(unit * quotient->form, 64, Range{0, whole.range.high});
}

// The least and the greatest of two.
std::optional<Number> Values::bounded_by_operands(const Instruction& i) {
  const bool least = i.math == Math::smin || i.math == Math::umin;
  const bool most = i.math == Math::smax || i.math == Math::umax;
  if (!least && !most) return std::nullopt;
  const bool with_sign = i.math == Math::smin || i.math == Math::smax;
  const Number a = as(number(i.operands[0]), width(i.result), with_sign),
               b = as(number(i.operands[1]), width(i.result), with_sign);
  const Form difference = least ? b.form - a.form : a.form - b.form;
  return chosen(i.result,
                {{not_negative(difference), a}, {not_negative(Wide{-1} * difference), b}});
}

std::optional<Number> Values::builtin(const Instruction& i) {
  const std::size_t d = i.dimension;
  switch (i.builtin) {
    case Builtin::thread_id:
      return Number{Form::of(thread_[d]), symbol(thread_[d]).range};
    case Builtin::group_id:
      return Number{Form::of(group_[d]), symbol(group_[d]).range};
    case Builtin::group_size:
      return size_[d];
    case Builtin::groups:
      return groups_[d];
    case Builtin::lane:
    case Builtin::subgroup_id: {
      if (!size_[0].form.is_constant() || !size_[1].form.is_constant()) return std::nullopt;
      const Wide row = size_[0].form.constant, layer = row * size_[1].form.constant;
      const Form linear =
          Form::of(thread_[0]) + row * Form::of(thread_[1]) + layer * Form::of(thread_[2]);
      const Number all{linear, range_of_form(linear)};
      const Wide lanes = Wide{options_.launch.subgroup};
      std::optional<Number> which = divided(all, lanes);
      if (i.builtin == Builtin::subgroup_id) return which;
      return settled(linear - lanes * which->form, 64, Range{0, lanes - 1});
    }
    case Builtin::subgroup_size: {
      const Wide lanes = Wide{options_.launch.subgroup};
      return Number{Form(lanes), {lanes, lanes}};
    }
    case Builtin::cooperative:
    case Builtin::subgroups:
    case Builtin::active_mask:
      break;
  }
  return std::nullopt;
}

// One of several, each where its condition holds.
Number Values::chosen(ValueId id, std::vector<std::pair<Formula, Number>> choices) {
  const int w = width(id);
  const auto all_fit = [&](bool with_sign) {
    return std::all_of(choices.begin(), choices.end(), [&](const auto& one) {
      return one.second.range.within(range_of(w, with_sign));
    });
  };
  const bool with_sign = all_fit(true) || !all_fit(false);
  const Number result = unknown(id);
  const int made = result.form.parts.begin()->first[0];
  std::vector<Formula> ways;
  std::optional<Range> range;
  for (const auto& [when, what] : choices) {
    const Number exact = as(what, w, with_sign);
    range = range ? hull(*range, exact.range) : exact.range;
    ways.push_back(all_of({when, is_zero(result.form - exact.form)}));
  }
  Symbol& symbol = symbols_[static_cast<std::size_t>(made)];
  symbol.range = *range;
  symbol.fact = any_of(std::move(ways));
  return {result.form, *range};
}

std::optional<Number> Values::offset(ValueId pointer) {
  const Value& v = f_.value(pointer);
  const Number begin{Form(), {0, 0}};
  if (v.kind == Value::Kind::argument) return begin;
  if (v.kind == Value::Kind::address) {
    const Wide at = static_cast<std::int64_t>(v.bits);
    return Number{Form(at), {at, at}};
  }
  if (v.kind != Value::Kind::instruction) return std::nullopt;
  const Instruction& i = *made_by_[pointer];
  if (i.op == Op::offset) {
    const std::optional<Number> from = offset(i.operands[0]);
    if (!from) return std::nullopt;
    const Number by = as(number(i.operands[1]), width(i.operands[1]), true);
    return settled(from->form + by.form, 64, sum(from->range, by.range));
  }
  if (i.op == Op::bitcast) {
    return f_.value(i.operands[0]).type.is_pointer() ? offset(i.operands[0]) : std::nullopt;
  }
  if (i.op == Op::load) {  // of a field of an argument, which is a buffer of its own
    const std::set<int>& to = regions_.of_value[pointer];
    return to.size() == 1 && *to.begin() > kUnknownRegion ? std::optional(begin) : std::nullopt;
  }
  const int loop = flow_.loop[home_[pointer]];
  if (i.op != Op::phi || loop == kNoLoop ||
      flow_.loops[static_cast<std::size_t>(loop)].head != home_[pointer]) {
    return std::nullopt;
  }
  if (const auto at = known_.find(pointer); at != known_.end()) return at->second;
  if (!open_.insert(pointer).second) return std::nullopt;
  std::optional<Number> found = counted(i);
  open_.erase(pointer);
  if (found) known_[pointer] = *found;
  return found;
}

}  // namespace headway::verify::affine
