#include "kernel/litmus/integers.hpp"

#include <algorithm>
#include <cstdlib>

#include "consistency/trace.hpp"
#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel::litmus {
namespace {

using TermKind = Term::Kind;

Term constant(Number number) { return Term::constant(number); }

// The lowest bits alone, as a number that is not negative; of fewer than 64.
Term masked(const Term& a, int bits) {
  return made(TermKind::bit_and, a,
              constant(static_cast<Number>(low_bits(~std::uint64_t{0}, bits))));
}

// The same value taken into the range of its type, which it may have left.
Term wrapped(const Term& a, int bits) {
  if (bits >= 64) return a;
  if (bits == 1) return masked(a, 1);
  const Term sign = constant(Number{1} << (bits - 1));
  return made(TermKind::subtract, made(TermKind::bit_xor, masked(a, bits), sign), sign);
}

// In the order of unsigned numbers.
Term unsigned_order(const Term& a, int bits) {
  return bits < 64 ? masked(a, bits) : made(TermKind::bit_xor, a, constant(INT64_MIN));
}

std::optional<Term> comparison(ComparisonOp op, int bits, const Term& a, const Term& b) {
  const bool is_order = op != ComparisonOp::eq && op != ComparisonOp::ne;
  if (is_order && bits == 1) return std::nullopt;
  const Term x = unsigned_order(a, bits), y = unsigned_order(b, bits);
  switch (op) {
    case ComparisonOp::eq:
      return made(TermKind::equal, a, b);
    case ComparisonOp::ne:
      return made(TermKind::differs, a, b);
    case ComparisonOp::slt:
      return made(TermKind::less, a, b);
    case ComparisonOp::sle:
      return made(TermKind::at_most, a, b);
    case ComparisonOp::sgt:
      return made(TermKind::less, b, a);
    case ComparisonOp::sge:
      return made(TermKind::at_most, b, a);
    case ComparisonOp::ult:
      return made(TermKind::less, x, y);
    case ComparisonOp::ule:
      return made(TermKind::at_most, x, y);
    case ComparisonOp::ugt:
      return made(TermKind::less, y, x);
    case ComparisonOp::uge:
      return made(TermKind::at_most, y, x);
  }
  std::abort();  // there are no others
}

std::optional<Term> unsigned_division(TermKind kind, int bits, const Term& a, const Term& b) {
  if (bits < 64) return wrapped(made(kind, masked(a, bits), masked(b, bits)), bits);
  const auto is_natural = [](const Term& of) {
    return of.kind == TermKind::constant && of.number >= 0;
  };
  if (!is_natural(a) || !is_natural(b)) return std::nullopt;
  return made(kind, a, b);
}

// Of bits that come from the left as zeros.
std::optional<Term> logical_shift(int bits, const Term& a, const Term& by) {
  if (bits < 64) return wrapped(made(TermKind::shift_right, masked(a, bits), by), bits);
  if (by.kind != TermKind::constant) return std::nullopt;
  const Term moved = made(TermKind::shift_right, a, by);
  return by.number > 0 ? masked(moved, 64 - static_cast<int>(by.number)) : moved;
}

}  // namespace

Number number_of(std::uint64_t word, int bits) {
  return bits == 1 ? static_cast<Number>(word & 1U) : sign_extended(word, bits);
}

Term made(TermKind kind, Term a, Term b) {
  const bool known = a.kind == TermKind::constant && b.kind == TermKind::constant;
  const bool divides = kind == TermKind::divide || kind == TermKind::remainder;
  const auto is = [](const Term& of, Number number) {
    return of.kind == TermKind::constant && of.number == number;
  };
  if (kind == TermKind::logical_and && (is(a, 0) || is(b, 0))) return constant(0);
  if (kind == TermKind::logical_or && is(a, 0)) return b;
  if (kind == TermKind::logical_or && is(b, 0)) return a;
  // What goes wrong stands as it is, behind what says so.
  const bool fails =
      divides && known && (b.number == 0 || (b.number == -1 && a.number == INT64_MIN));
  Term result = Term::of(kind, std::move(a), std::move(b));
  return known && !fails ? constant(consistency::value_of(result, {})) : result;
}

std::optional<Term> integer_term(Op op, int bits, const Term& a, const Term& b) {
  if (is_comparison(op)) return comparison(as_comparison(op), bits, a, b);
  switch (as_integer(op)) {
    case IntegerOp::add:
      return wrapped(made(TermKind::add, a, b), bits);
    case IntegerOp::sub:
      return wrapped(made(TermKind::subtract, a, b), bits);
    case IntegerOp::mul:
      return wrapped(made(TermKind::multiply, a, b), bits);
    case IntegerOp::udiv:
      return unsigned_division(TermKind::divide, bits, a, b);
    case IntegerOp::urem:
      return unsigned_division(TermKind::remainder, bits, a, b);
    case IntegerOp::sdiv:
      if (bits == 1) return std::nullopt;
      return wrapped(made(TermKind::divide, a, b), bits);
    case IntegerOp::srem:
      if (bits == 1) return std::nullopt;
      return made(TermKind::remainder, a, b);
    case IntegerOp::shl:
      return wrapped(made(TermKind::shift_left, a, b), bits);
    case IntegerOp::lshr:
      return logical_shift(bits, a, b);
    case IntegerOp::ashr:
      return made(TermKind::shift_right, a, b);
    case IntegerOp::bit_and:
      return made(TermKind::bit_and, a, b);
    case IntegerOp::bit_or:
      return made(TermKind::bit_or, a, b);
    case IntegerOp::bit_xor:
      return made(TermKind::bit_xor, a, b);
  }
  std::abort();  // there are no others
}

std::optional<Term> fault_term(Op op, int bits, const Term& a, const Term& b) {
  if (is_division(op)) {
    Term fault = made(TermKind::equal, b, constant(0));
    if (op == Op::sdiv || op == Op::srem) {
      const Term least =
          made(TermKind::equal, a, constant(number_of(std::uint64_t{1} << (bits - 1), bits)));
      fault = made(TermKind::logical_or, std::move(fault),
                   made(TermKind::logical_and, made(TermKind::equal, b, constant(-1)), least));
    }
    return fault;
  }
  if (!is_shift(op)) return std::nullopt;
  return made(TermKind::logical_or, made(TermKind::less, b, constant(0)),
              made(TermKind::at_most, constant(bits), b));
}

Term resized(Op op, int from, int to, const Term& a) {
  if (op == Op::trunc) return wrapped(a, to);
  if (from == 1) return op == Op::sext ? wrapped(made(TermKind::subtract, constant(0), a), to) : a;
  return op == Op::sext || from >= 64 ? a : masked(a, from);
}

std::optional<Term> function_term(Math math, int bits, const Term& a, const Term& b) {
  if (bits == 1) return std::nullopt;
  // The only functions of integers that synchronization has use for.
  if (math == Math::smin) return made(TermKind::minimum, a, b);
  if (math == Math::smax) return made(TermKind::maximum, a, b);
  if (math == Math::umin) return made(TermKind::unsigned_minimum, a, b);
  if (math == Math::umax) return made(TermKind::unsigned_maximum, a, b);
  if (math == Math::abs) {
    return wrapped(made(TermKind::maximum, a, made(TermKind::subtract, constant(0), a)), bits);
  }
  return std::nullopt;
}

}  // namespace headway::kernel::litmus
