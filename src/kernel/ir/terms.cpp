#include "kernel/ir/terms.hpp"

#include <cstdint>
#include <cstdlib>

namespace headway::kernel {

smt::Term compared(smt::Context& context, ComparisonOp op, smt::Term a, smt::Term b) {
  switch (op) {
    case ComparisonOp::eq:
      return context.equal(a, b);
    case ComparisonOp::ne:
      return context.differ(a, b);
    case ComparisonOp::ult:
      return context.ult(a, b);
    case ComparisonOp::ule:
      return context.ule(a, b);
    case ComparisonOp::ugt:
      return context.ult(b, a);
    case ComparisonOp::uge:
      return context.ule(b, a);
    case ComparisonOp::slt:
      return context.slt(a, b);
    case ComparisonOp::sle:
      return context.sle(a, b);
    case ComparisonOp::sgt:
      return context.slt(b, a);
    case ComparisonOp::sge:
      return context.sle(b, a);
  }
  std::abort();  // there are no others
}

smt::Term integer_result(smt::Context& context, IntegerOp op, smt::Term a, smt::Term b) {
  switch (op) {
    case IntegerOp::add:
      return context.add(a, b);
    case IntegerOp::sub:
      return context.sub(a, b);
    case IntegerOp::mul:
      return context.mul(a, b);
    case IntegerOp::udiv:
      return context.udiv(a, b);
    case IntegerOp::sdiv:
      return context.sdiv(a, b);
    case IntegerOp::urem:
      return context.urem(a, b);
    case IntegerOp::srem:
      return context.srem(a, b);
    case IntegerOp::shl:
      return context.shl(a, b);
    case IntegerOp::lshr:
      return context.lshr(a, b);
    case IntegerOp::ashr:
      return context.ashr(a, b);
    case IntegerOp::bit_and:
      return context.bit_and(a, b);
    case IntegerOp::bit_or:
      return context.bit_or(a, b);
    case IntegerOp::bit_xor:
      return context.bit_xor(a, b);
  }
  std::abort();  // there are no others
}

smt::Term is_defined(smt::Context& context, IntegerOp op, smt::Term a, smt::Term b) {
  const int width = context.width(b);
  const auto by = static_cast<Op>(op);
  if (is_division(by)) {
    const smt::Term by_some = context.differ(b, context.constant(0, width));
    if (op == IntegerOp::udiv || op == IntegerOp::urem) return by_some;
    const smt::Term least = context.constant(std::uint64_t{1} << (width - 1), width);
    const smt::Term minus_one = context.constant(smt::mask_of(width), width);
    return context.conjunction(
        by_some, context.disjunction(context.differ(a, least), context.differ(b, minus_one)));
  }
  if (is_shift(by))
    return context.ult(b, context.constant(static_cast<std::uint64_t>(width), width));
  return context.truth(true);
}

}  // namespace headway::kernel
