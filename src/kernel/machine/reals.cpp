// Reals that depend on unknown data. Operations on them are functions of which nothing is known but
// that equal operands give equal results, and what follows here: a number less itself is 0 or not a
// number, and what is computed from what is not a number is not one, as IEEE 754 has it. So a
// result that the host computes as the kernel did is told to be the same within any tolerance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

std::uint64_t not_a_number(int bits) { return from_double(std::nan(""), bits); }

bool is_not_a_number(const smt::Context& terms, smt::Term term, int bits) {
  return terms.is_constant(term) && std::isnan(to_double(terms.value(term), bits));
}

}  // namespace

// A number that |term| does not exceed, as a real of so many bits; infinite where none is known.
double Machine::Runner::magnitude(smt::Term term, int bits) {
  constexpr double rounding = 1.000001;  // by which a result may be larger than the exact one
  const smt::Node node = terms_.node(term);
  if (node.kind == smt::Kind::constant) {
    const double value = std::fabs(to_double(node.value, bits));
    return std::isnan(value) ? INFINITY : value;
  }
  if (node.kind != smt::Kind::apply) return INFINITY;
  if (const auto known = magnitudes_.find(term.id); known != magnitudes_.end())
    return known->second;
  const std::string& name = terms_.name(node);
  const auto of = [&](std::size_t k) { return magnitude(node.args[k], bits); };
  double result = INFINITY;
  if (name == fmt::format("fadd_{}", bits) || name == fmt::format("fsub_{}", bits)) {
    result = (of(0) + of(1)) * rounding;
  } else if (name == fmt::format("fmul_{}", bits)) {
    result = of(0) * of(1) * rounding;
  } else if (name == fmt::format("fdiv_{}", bits) && terms_.is_constant(node.args[1])) {
    result = of(0) / of(1) * rounding;
  } else {
    for (const Op op : {Op::sint_to_real, Op::uint_to_real, Op::fext, Op::ftrunc}) {
      for (const int from : {1, 8, 16, 32, 64}) {
        if (name != conversion_name(op, from, bits)) continue;
        const bool is_integer = op == Op::sint_to_real || op == Op::uint_to_real;
        result = (is_integer ? std::ldexp(1.0, from) : magnitude(node.args[0], from)) * rounding;
      }
    }
  }
  // Far from where results become infinite.
  if (!(result < (bits == 64 ? 1e300 : bits == 32 ? 1e38 : 6e4))) result = INFINITY;
  return magnitudes_[term.id] = result;
}

std::string Machine::Runner::conversion_name(Op op, int from, int to) {
  return fmt::format("convert{}_{}_{}", static_cast<int>(op), from, to);
}

// Where `cell` is a choice between what is not a number and something else, what `of` gives for
// both; nothing otherwise.
std::optional<Cell> Machine::Runner::lifted(const Cell& cell, int bits,
                                            const std::function<Cell(const Cell&)>& of,
                                            int result_bits) {
  if (cell.kind != Cell::Kind::term) return std::nullopt;
  const smt::Node node = terms_.node(cell.term());
  if (node.kind != smt::Kind::ite) return std::nullopt;
  if (!is_not_a_number(terms_, node.args[1], bits) && !is_not_a_number(terms_, node.args[2], bits))
    return std::nullopt;
  const Cell then = of(simplified(node.args[1]));
  return chosen(node.args[0], then, of(simplified(node.args[2])), result_bits);
}

Cell Machine::Runner::real(const Instruction& i, const Cell& a, const Cell& b) {
  const int width = bits(i.operands[0]);
  const bool compares = i.op == Op::fcompare;
  const auto known = [&](std::uint64_t x, std::uint64_t y) {
    return compares ? std::uint64_t{real_comparison(i.compare, width, x, y)}
                    : real_result(i.op, width, x, y);
  };
  if (a.is_bits() && b.is_bits()) return Cell::of(known(a.bits, b.bits));
  if (a.kind == Cell::Kind::undefined || b.kind == Cell::Kind::undefined) return Cell::undefined();
  if (i.op == Op::fneg) {
    return simplified(
        terms_.bit_xor(term(a, width), terms_.constant(std::uint64_t{1} << (width - 1), width)));
  }
  for (const Cell* one : {&a, &b}) {
    // Whatever the other operand is.
    if (one->is_bits() && std::isnan(to_double(one->bits, width)))
      return Cell::of(known(one->bits, one->bits));
    const auto result = lifted(
        *one, width, [&](const Cell& x) { return one == &a ? real(i, x, b) : real(i, a, x); },
        i.type.bits);
    if (result) return *result;
  }
  const smt::Term x = term(a, width), y = term(b, width);
  if (x == y && (compares || i.op == Op::fsub)) {
    const std::uint64_t not_number = not_a_number(width);
    const Cell zero = Cell::of(known(0, 0)), none = Cell::of(known(not_number, not_number));
    if (std::isfinite(magnitude(x, width)) || zero == none) return zero;
    // Infinity is equal to itself, and less itself it is no number.
    const auto is = [&](std::string_view what, bool (*which)(double)) {
      return terms_.nonzero(
          applied(fmt::format("{}_{}", what, width), 1, {x}, [width, which](const auto& operands) {
            return std::optional<std::uint64_t>(which(to_double(operands[0], width)) ? 1U : 0U);
          }).term());
    };
    const smt::Term is_none = is("not_a_number", [](double value) { return std::isnan(value); });
    const smt::Term is_infinite = is("infinite", [](double value) { return std::isinf(value); });
    return chosen(compares ? is_none : terms_.disjunction(is_none, is_infinite), none, zero,
                  i.type.bits);
  }
  static constexpr const char* names[] = {"fadd", "fsub", "fmul", "fdiv", "frem"};
  const std::string name =
      compares
          ? fmt::format("fcompare{}_{}", static_cast<int>(i.compare), width)
          : fmt::format("{}_{}", names[static_cast<int>(i.op) - static_cast<int>(Op::fadd)], width);
  return applied(
      name, i.type.bits, {x, y},
      [op = i.op, compare = i.compare, compares, width](const auto& operands) {
        return std::optional(
            compares ? std::uint64_t{real_comparison(compare, width, operands[0], operands[1])}
                     : real_result(op, width, operands[0], operands[1]));
      });
}

}  // namespace headway::kernel
