// What operations on registers give: numbers where all is known, terms where it is not.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cassert>
#include <cstdlib>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/terms.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

constexpr std::string_view kOverflow =
    "a division of the least number by -1, whose result does not fit";

}  // namespace

smt::Term Machine::Runner::term(const Cell& cell, int bits) {
  if (cell.is_bits()) return terms_.constant(low_bits(cell.bits, bits), bits);
  if (cell.kind == Cell::Kind::term) return cell.term();
  fail(FaultKind::unsupported, "a pointer mixed with unknown data");
}

Cell Machine::Runner::simplified(smt::Term term) {
  return terms_.is_constant(term) ? Cell::of(terms_.value(term)) : Cell::of(term);
}

Cell Machine::Runner::chosen(smt::Term condition, const Cell& a, const Cell& b, int bits) {
  if (a == b) return a;
  if (a.is_pointer() || b.is_pointer()) {
    const bool known = a.kind == Cell::Kind::pointer && b.kind == Cell::Kind::pointer;
    if (known && a.object == b.object) {
      return Cell::moving(a.object, terms_.ite(condition, terms_.constant(a.bits, 64),
                                               terms_.constant(b.bits, 64)));
    }
    throw Apart();
  }
  if (a.kind == Cell::Kind::undefined || b.kind == Cell::Kind::undefined) throw Apart();
  return simplified(terms_.ite(condition, term(a, bits), term(b, bits)));
}

Cell Machine::Runner::moved(const Cell& pointer, const Cell& bytes) {
  if (pointer.kind == Cell::Kind::undefined || bytes.kind == Cell::Kind::undefined) {
    return Cell::undefined();
  }
  if (!pointer.is_pointer()) {
    if (bytes.is_pointer()) fail(FaultKind::unsupported, "a sum of pointers");
    // Null plus a number, or an address made of a number.
    if (pointer.is_bits() && bytes.is_bits()) return Cell::of(pointer.bits + bytes.bits);
    return simplified(terms_.add(term(pointer, 64), term(bytes, 64)));
  }
  if (bytes.is_bits() && pointer.kind == Cell::Kind::pointer) {
    return Cell::pointer(pointer.object, pointer.bits + bytes.bits);
  }
  const smt::Term base =
      pointer.kind == Cell::Kind::pointer ? terms_.constant(pointer.bits, 64) : pointer.term();
  const smt::Term sum = terms_.add(base, term(bytes, 64));
  return terms_.is_constant(sum) ? Cell::pointer(pointer.object, terms_.value(sum))
                                 : Cell::moving(pointer.object, sum);
}

// How an address is aligned. Where its object begins is known as far as the object is aligned.
std::optional<Cell> Machine::Runner::low_bits_of(const Cell& pointer, std::uint64_t mask) {
  constexpr std::uint64_t most = 4095;
  if (!pointer.is_pointer() || mask > most) return {};
  smt::Term at =
      pointer.kind == Cell::Kind::pointer ? terms_.constant(pointer.bits, 64) : pointer.term();
  const ObjectInfo& info = launch_.objects[pointer.object];
  const auto align = static_cast<std::uint64_t>(info.align);
  if (mask >= align) {
    const smt::Term begin =
        terms_.variable(fmt::format("address of {}.{}", info.name, pointer.object), 64);
    at = terms_.add(at, terms_.mul(begin, terms_.constant(align, 64)));
  }
  return simplified(terms_.bit_and(at, terms_.constant(mask, 64)));
}

Cell Machine::Runner::on_pointers(Op op, const Cell& a, const Cell& b) {
  const auto offset = [&](const Cell& cell) {
    return cell.kind == Cell::Kind::pointer ? terms_.constant(cell.bits, 64) : cell.term();
  };
  const bool same = a.is_pointer() && b.is_pointer() && a.object == b.object;
  const bool is_equality = class_of(op) == OpClass::equality;
  if (is_equality && !same) return Cell::of(op == Op::eq ? 0U : 1U);  // none is at null
  if (is_comparison(op)) {
    // Offsets have signs: what is before the begin of an object is below it.
    if (same) {
      return integer(with_sign(op), Type::integer(64), simplified(offset(a)),
                     simplified(offset(b)));
    }
    // Null is below all others.
    if (b.is_bits() && b.bits == 0)
      return Cell::of(op == Op::ugt || op == Op::uge || op == Op::sgt || op == Op::sge ? 1U : 0U);
  } else if (op == Op::add) {
    if (!b.is_pointer()) return moved(a, b);
    if (!a.is_pointer()) return moved(b, a);
  } else if (op == Op::sub) {
    if (same) return simplified(terms_.sub(offset(a), offset(b)));
    if (!b.is_pointer()) return moved(a, simplified(terms_.neg(term(b, 64))));
  } else if (op == Op::bit_and) {
    if (const auto low = b.is_bits() ? low_bits_of(a, b.bits) : std::nullopt) return *low;
    if (const auto low = a.is_bits() ? low_bits_of(b, a.bits) : std::nullopt) return *low;
  } else if (op == Op::urem && b.is_bits() && std::has_single_bit(b.bits)) {
    if (const auto low = low_bits_of(a, b.bits - 1)) return *low;
  }
  fail(FaultKind::unsupported, "arithmetic on pointers that depends on where objects are");
}

Cell Machine::Runner::integer(Op op, Type type, const Cell& a, const Cell& b) {
  const int bits = type.bits;
  if (a.is_bits() && b.is_bits()) {
    if (const auto result = integer_result(op, bits, a.bits, b.bits)) return Cell::of(*result);
    if (is_division(op) && b.bits == 0) fail(FaultKind::division, "a division by zero");
    if (is_division(op)) fail(FaultKind::division, std::string(kOverflow));
    return unset_shift(bits);
  }
  if (a.kind == Cell::Kind::undefined || b.kind == Cell::Kind::undefined) return Cell::undefined();
  if (a.is_pointer() || b.is_pointer()) return on_pointers(op, a, b);
  const smt::Term x = term(a, bits);
  const smt::Term y = term(b, bits);
  if (is_comparison(op)) {
    return simplified(terms_.bits_of(compared(terms_, as_comparison(op), x, y), 1));
  }
  const IntegerOp by = as_integer(op);
  const smt::Term defined = is_defined(terms_, by, x, y);
  const smt::Term result = integer_result(terms_, by, x, y);
  if (is_division(op)) {
    fail_where(terms_.equal(y, terms_.constant(0, bits)), FaultKind::division,
               "a division by zero, for some data");
    fail_where(terms_.negation(defined), FaultKind::division,
               fmt::format("{}, for some data", kOverflow));
  }
  // By as many bits as there are, or more: any value.
  if (is_shift(op) && !terms_.is_true(defined)) {
    return simplified(terms_.ite(defined, result, unset_shift(bits).term()));
  }
  return simplified(result);
}

// Reals that depend on unknown data are functions of it, of which nothing else is known.
Cell Machine::Runner::converted_cell(const Instruction& i, const Cell& a) {
  const Type from = function_.values[i.operands[0]].type;
  if (a.is_bits()) {
    if (i.op == Op::pointer_to_int || i.op == Op::int_to_pointer) return a;
    const auto result = converted(i.op, from, i.type, a.bits, i.saturates);
    return result ? Cell::of(*result) : unset("?conversion ", i.type.bits);
  }
  if (a.kind == Cell::Kind::undefined) return a;
  if (a.is_pointer()) {
    if (i.type.bits == 64) return a;
    fail(FaultKind::unsupported, "a part of an address");
  }
  switch (as_conversion(i.op)) {
    case ConversionOp::trunc:
      return simplified(terms_.extract(a.term(), 0, i.type.bits));
    case ConversionOp::zext:
      return simplified(terms_.zext(a.term(), i.type.bits));
    case ConversionOp::sext:
      return simplified(terms_.sext(a.term(), i.type.bits));
    case ConversionOp::bitcast:
    case ConversionOp::pointer_to_int:
    case ConversionOp::int_to_pointer:
      return a;
    case ConversionOp::fext:
    case ConversionOp::ftrunc: {
      const auto result = lifted(
          a, from.bits, [&](const Cell& x) { return converted_cell(i, x); }, i.type.bits);
      if (result) return *result;
      break;
    }
    case ConversionOp::real_to_uint:
    case ConversionOp::real_to_sint:
    case ConversionOp::uint_to_real:
    case ConversionOp::sint_to_real:
      break;
  }
  const std::string name = conversion_name(i.op, from.bits, i.type.bits);
  return applied(i.saturates ? name + "_saturated" : name, i.type.bits, {a.term()},
                 [op = i.op, from, to = i.type, saturates = i.saturates](const auto& operands) {
                   return converted(op, from, to, operands[0], saturates);
                 });
}

Cell Machine::Runner::math(const Instruction& i, std::array<Cell, 3> operands) {
  bool known = i.math != Math::opaque;
  for (std::size_t k = 0; k < i.operands.size() && k < 3; ++k) {
    if (operands[k].kind == Cell::Kind::undefined) return Cell::undefined();
    known = known && operands[k].is_bits();
  }
  const Type type = function_.values[i.operands[0]].type;
  if (known) {
    const ComputedBy by = machine_.host_ != nullptr ? ComputedBy::host : ComputedBy::device;
    const auto result =
        math_result(i.math, type, i.type, operands[0].bits, operands[1].bits, operands[2].bits, by);
    if (result) return Cell::of(low_bits(*result, i.type.bits));
  }
  for (std::size_t k = 0;
       type.is_real() && i.math != Math::opaque && k < i.operands.size() && k < 3; ++k) {
    const auto of = [&](const Cell& x) {
      std::array<Cell, 3> with = operands;
      with[k] = x;
      return math(i, with);
    };
    if (const auto result = lifted(operands[k], type.bits, of, i.type.bits)) return *result;
  }
  std::vector<smt::Term> terms;
  for (std::size_t k = 0; k < i.operands.size() && k < 3; ++k) {
    terms.push_back(term(operands[k], bits(i.operands[k])));
  }
  // Those that are choices are exact.
  const auto pick = [&](smt::Term first) {
    return simplified(terms_.ite(first, terms[0], terms[1]));
  };
  switch (i.math) {
    case Math::smin:
      return pick(terms_.slt(terms[0], terms[1]));
    case Math::smax:
      return pick(terms_.slt(terms[1], terms[0]));
    case Math::umin:
      return pick(terms_.ult(terms[0], terms[1]));
    case Math::umax:
      return pick(terms_.ult(terms[1], terms[0]));
    case Math::abs:
      return simplified(terms_.ite(terms_.slt(terms[0], terms_.constant(0, type.bits)),
                                   terms_.neg(terms[0]), terms[0]));
    case Math::fabs:
      return simplified(
          terms_.bit_and(terms[0], terms_.constant(smt::mask_of(type.bits - 1), type.bits)));
    default:
      break;
  }
  const ComputedBy by = machine_.host_ != nullptr ? ComputedBy::host : ComputedBy::device;
  return applied(
      fmt::format("math{}_{}_{}", static_cast<int>(i.math), type.bits, i.type.bits), i.type.bits,
      terms,
      [math = i.math, type, to = i.type, by](const auto& operands) -> std::optional<std::uint64_t> {
        if (math == Math::opaque) return {};
        const auto of = [&](std::size_t k) { return k < operands.size() ? operands[k] : 0; };
        const auto result = math_result(math, type, to, of(0), of(1), of(2), by);
        return result ? std::optional(low_bits(*result, to.bits)) : result;
      });
}

Cell Machine::Runner::builtin(const Instruction& i) {
  const std::optional<std::uint64_t> value = launch_.builtin(i, thread_);
  if (!value) fail(FaultKind::unsupported, "the mask of active threads");
  return Cell::of(*value);
}

Cell Machine::Runner::updated_cell(Update update, Type type, const Cell& old, const Cell& operand) {
  if (update == Update::exchange) return operand;
  if (old.is_bits() && operand.is_bits()) {
    return Cell::of(updated(update, type.bits, old.bits, operand.bits));
  }
  if (old.kind == Cell::Kind::undefined || operand.kind == Cell::Kind::undefined) {
    return Cell::undefined();
  }
  if (old.is_pointer() || operand.is_pointer()) {
    if (update == Update::add) return moved(old, operand);
    fail(FaultKind::unsupported, "an atomic operation on a pointer");
  }
  const smt::Term a = term(old, type.bits);
  const smt::Term b = term(operand, type.bits);
  const smt::Term zero = terms_.constant(0, type.bits);
  const smt::Term one = terms_.constant(1, type.bits);
  switch (update) {
    case Update::add:
      return simplified(terms_.add(a, b));
    case Update::sub:
      return simplified(terms_.sub(a, b));
    case Update::mul:
      return simplified(terms_.mul(a, b));
    case Update::bit_and:
      return simplified(terms_.bit_and(a, b));
    case Update::bit_or:
      return simplified(terms_.bit_or(a, b));
    case Update::bit_xor:
      return simplified(terms_.bit_xor(a, b));
    case Update::smin:
      return simplified(terms_.ite(terms_.slt(a, b), a, b));
    case Update::smax:
      return simplified(terms_.ite(terms_.slt(b, a), a, b));
    case Update::umin:
      return simplified(terms_.ite(terms_.ult(a, b), a, b));
    case Update::umax:
      return simplified(terms_.ite(terms_.ult(b, a), a, b));
    case Update::wrap_inc:
      return simplified(terms_.ite(terms_.ule(b, a), zero, terms_.add(a, one)));
    case Update::wrap_dec: {
      const smt::Term wraps = terms_.disjunction(terms_.equal(a, zero), terms_.ult(b, a));
      return simplified(terms_.ite(wraps, b, terms_.sub(a, one)));
    }
    default:
      break;
  }
  return applied(fmt::format("update{}_{}", static_cast<int>(update), type.bits), type.bits, {a, b},
                 [update, type](const auto& operands) {
                   return std::optional(updated(update, type.bits, operands[0], operands[1]));
                 });
}

}  // namespace headway::kernel
