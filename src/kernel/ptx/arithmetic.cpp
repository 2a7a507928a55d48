// Instructions that compute.
#include "kernel/ir/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {

void Emitter::move() {
  if (operand(1).kind == Operand::Kind::vector) return pack(operand(1));
  if (operand(0).kind == Operand::Kind::vector) return unpack(operand(0));
  give(operand(0), value(1, type().type));
}

// The first part is the lowest.
void Emitter::pack(const Operand& from) {
  const Type whole = type().type;
  const auto count = static_cast<int>(from.parts.size());
  if (!whole.is_integer() || whole.bits % count != 0) refuse("a vector of so many parts");
  const int bits = whole.bits / count;
  if (count == 2 && bits == 32) {
    const auto parts = joined_halves(value(from.parts[0], Type::integer(32)),
                                     value(from.parts[1], Type::integer(32)));
    if (parts) return give(operand(0), *parts);
  }
  ValueId all = builder_.integer(whole.bits, 0);
  for (int i = 0; i < count; ++i) {
    const ValueId part = value(from.parts[static_cast<std::size_t>(i)], Type::integer(bits));
    all = builder_.binary(Op::bit_or, all,
                          builder_.binary(Op::shl, builder_.resize(part, whole.bits, false),
                                          integer(whole, static_cast<std::uint64_t>(i) *
                                                             static_cast<unsigned>(bits))));
  }
  give(operand(0), all);
}

void Emitter::unpack(const Operand& to) {
  const Type whole = type().type;
  const auto count = static_cast<int>(to.parts.size());
  if (!whole.is_integer() || whole.bits % count != 0) refuse("a vector of so many parts");
  const int bits = whole.bits / count;
  const ValueId all = value(1, whole);
  for (int i = 0; i < count; ++i) {
    const ValueId shifted = builder_.binary(
        Op::lshr, all, integer(whole, static_cast<std::uint64_t>(i) * static_cast<unsigned>(bits)));
    give(to.parts[static_cast<std::size_t>(i)], builder_.resize(shifted, bits, false));
  }
}

// What a rounding says of a function that has others than to the nearest: those toward zero, up
// and down stand behind each other.
std::optional<Math> Emitter::rounded(Math toward_zero) const {
  const int first = static_cast<int>(toward_zero);
  if (has("rz")) return toward_zero;
  if (has("rp")) return static_cast<Math>(first + 1);
  if (has("rm")) return static_cast<Math>(first + 2);
  return {};
}

void Emitter::binary() {
  const Type of = type().type;
  const ValueId a = value(1, of);
  const bool has_rounding = has("rn") || has("rz") || has("rp") || has("rm");
  if (has_rounding && !of.is_real()) refuse("a rounding of integers");
  if (has("sat") && of.is_integer()) return add_within_range();
  if (of.is_real()) {
    const bool adds = row_->op == Op::add;
    const ValueId b = value(2, of);
    const auto other = rounded(adds ? Math::add_rz : Math::sub_rz);
    return give(operand(0), other ? math(*other, of, {a, b})
                                  : builder_.binary(adds ? Op::fadd : Op::fsub, a, b));
  }
  give(operand(0), builder_.binary(row_->op, a, value(2, of)));
}

// A sum or a difference of 32 bits with a sign, or the nearest that there is.
void Emitter::add_within_range() {
  const auto [of, is_signed] = type();
  if (of.bits != 32 || !is_signed) refuse("saturation of other integers than s32");
  const ValueId a = builder_.resize(value(1, of), 64, true);
  const ValueId all = builder_.binary(row_->op, a, builder_.resize(value(2, of), 64, true));
  give(operand(0), builder_.resize(within(all, true, 32, true), 32, false));
}

// With numbers so small that they have fewer bits replaced by a zero of their sign (.ftz).
ValueId Emitter::flushed(ValueId a) {
  const Type of = builder_.type(a);
  const bool is_half = of.bits == 16;
  if (!has("ftz") || !of.is_real() || of.bits == 64) return a;
  // A conversion has it for reals of 32 bits alone.
  if (is_half && row_->action == Action::convert) return a;
  const Type word = Type::integer(of.bits);
  const ValueId bits = builder_.convert(Op::bitcast, a, word);
  const ValueId exponent =
      builder_.binary(Op::bit_and, bits, integer(word, is_half ? 0x7c00 : 0x7f800000));
  const ValueId sign =
      builder_.binary(Op::bit_and, bits, integer(word, is_half ? 0x8000 : 0x80000000));
  const ValueId is_small = builder_.binary(Op::eq, exponent, integer(word, 0));
  return builder_.convert(Op::bitcast, builder_.select(is_small, sign, bits), of);
}

// From 0 to 1, and 0 of what is no number (.sat).
ValueId Emitter::saturated(ValueId a) {
  const Type of = builder_.type(a);
  if (!has("sat") || !of.is_real()) return a;
  if (of.bits == 64) refuse("saturation of f64");
  const auto constant = [&](double number) {
    return builder_.constant(of, from_double(number, of.bits));
  };
  const ValueId zero = constant(0), one = constant(1);
  const ValueId at_most_one = builder_.select(compared(Compare::olt, a, one), a, one);
  return builder_.select(compared(Compare::olt, zero, a), at_most_one, zero);
}

// Of reals, rounded as the instruction says.
ValueId Emitter::quotient(ValueId a, ValueId b, Type of) {
  const auto other = rounded(Math::div_rz);
  return other ? math(*other, of, {a, b}) : builder_.binary(Op::fdiv, a, b);
}

void Emitter::divide() {
  const auto [of, is_signed] = type();
  const bool remains = row_->opcode == "rem";
  const bool has_rounding = has("rn") || has("rz") || has("rp") || has("rm");
  if (has_rounding != of.is_real()) refuse("expected a rounding of reals, and none of integers");
  if (of.is_real()) {
    const ValueId a = value(1, of);
    return give(operand(0), quotient(a, value(2, of), of));
  }
  const Op op = is_signed ? (remains ? Op::srem : Op::sdiv) : (remains ? Op::urem : Op::udiv);
  const ValueId a = value(1, of);
  give(operand(0), builder_.binary(op, a, value(2, of)));
}

void Emitter::minimum() {
  const auto [of, is_signed] = type();
  const bool is_least = row_->opcode == "min";
  const Math function = of.is_real() ? (is_least ? Math::fmin : Math::fmax)
                        : is_signed  ? (is_least ? Math::smin : Math::smax)
                                     : (is_least ? Math::umin : Math::umax);
  const ValueId a = value(1, of);
  give(operand(0), math(function, of, {a, value(2, of)}));
}

// Of operands 1 and 2: the low or the high half, or all of it.
ValueId Emitter::product() {
  const auto [of, is_signed] = type();
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  if (has("lo")) return builder_.binary(Op::mul, a, b);
  if (of.bits == 64) {
    if (has("wide")) refuse("a product of 128 bits");
    return math(is_signed ? Math::mul_high_s : Math::mul_high_u, of, {a, b});
  }
  const ValueId all = builder_.binary(Op::mul, builder_.resize(a, 2 * of.bits, is_signed),
                                      builder_.resize(b, 2 * of.bits, is_signed));
  if (has("wide")) return all;
  const Type wide = builder_.type(all);
  return builder_.resize(
      builder_.binary(Op::lshr, all, integer(wide, static_cast<std::uint64_t>(of.bits))), of.bits,
      false);
}

void Emitter::multiply() {
  const Type of = type().type;
  const bool is_part = has("lo") || has("hi") || has("wide");
  const bool has_rounding = has("rn") || has("rz") || has("rp") || has("rm");
  if (is_part == of.is_real() || ((has_rounding || has("sat")) && !of.is_real())) {
    refuse("expected .lo, .hi or .wide of integers, and a rounding of reals");
  }
  if (!of.is_real()) return give(operand(0), product());
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  const auto other = rounded(Math::mul_rz);
  give(operand(0), other ? math(*other, of, {a, b}) : builder_.binary(Op::fmul, a, b));
}

void Emitter::fuse() {
  const Type of = type().type;
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  give(operand(0), math(rounded(Math::fma_rz).value_or(Math::fma), of, {a, b, value(3, of)}));
}

void Emitter::function() {
  const Type of = type().type;
  give(operand(0), math(rounded(Math::sqrt_rz).value_or(Math::sqrt), of, {value(1, of)}));
}

void Emitter::reciprocal() {
  const Type of = type().type;
  const ValueId one = builder_.constant(of, from_double(1, of.bits));
  give(operand(0), quotient(one, value(1, of), of));
}

// A value that is not known, but the same for the same operands.
void Emitter::approximate() {
  static constexpr std::array<std::string_view, 10> functions = {
      "sqrt.approx", "rsqrt.approx", "rcp.approx",  "sin.approx", "cos.approx",
      "lg2.approx",  "ex2.approx",   "tanh.approx", "div.approx", "div.full"};
  const auto which = std::find(functions.begin(), functions.end(), row_->opcode);
  const auto number = static_cast<std::uint64_t>(which - functions.begin());
  const Type of = type().type;
  const ValueId name = builder_.integer(32, 2 * number + (has("ftz") ? 1 : 0));
  const ValueId a = value(1, of);
  give(operand(0), operands() == 2 ? math(Math::opaque, of, {a, name})
                                   : math(Math::opaque, of, {a, value(2, of), name}));
}

void Emitter::multiply_add() {
  const ValueId ab = product();
  give(operand(0), builder_.binary(Op::add, ab, value(3, builder_.type(ab))));
}

// By the width or more: nothing is left but the sign.
void Emitter::shift() {
  const auto [of, is_signed] = type();
  const bool is_left = row_->opcode == "shl";
  const Type amounts = Type::integer(32);
  const ValueId a = value(1, of);
  const ValueId amount = value(2, amounts);
  const auto width = static_cast<std::uint64_t>(of.bits);
  const ValueId fits = builder_.binary(Op::ult, amount, integer(amounts, width));
  const ValueId least = builder_.select(fits, amount, integer(amounts, is_signed ? width - 1 : 0));
  const Op op = is_left ? Op::shl : is_signed ? Op::ashr : Op::lshr;
  const ValueId moved = builder_.binary(op, a, builder_.resize(least, of.bits, false));
  give(operand(0), is_signed ? moved : builder_.select(fits, moved, integer(of, 0)));
}

void Emitter::unary() {
  const Type of = type().type;
  const ValueId a = value(1, of);
  if (of.is_real()) {
    return give(operand(0), row_->opcode == "neg" ? builder_.operation(Op::fneg, of, {a})
                                                  : math(Math::fabs, of, {a}));
  }
  if (row_->opcode == "not") {
    return give(operand(0), builder_.binary(Op::bit_xor, a, integer(of, ~std::uint64_t{0})));
  }
  const ValueId negated = builder_.binary(Op::sub, integer(of, 0), a);
  if (row_->opcode == "neg") return give(operand(0), negated);
  give(operand(0), builder_.select(builder_.binary(Op::slt, a, integer(of, 0)), negated, a));
}

void Emitter::count_bits() {
  const Type of = type().type;
  const ValueId a = value(1, of);
  if (row_->opcode == "brev") return give(operand(0), math(Math::reverse_bits, of, {a}));
  const bool counts = row_->opcode == "popc";
  const ValueId count = math(counts ? Math::popcount : Math::leading_zeros, of, {a});
  give(operand(0), builder_.resize(count, 32, false));
}

// The place of the highest bit that is not as the sign, or how far it is from the highest place;
// all ones where there is none.
void Emitter::find_bit() {
  const auto [of, is_signed] = type();
  ValueId a = value(1, of);
  if (is_signed) {
    const ValueId negative = builder_.binary(Op::slt, a, integer(of, 0));
    a = builder_.select(negative, builder_.binary(Op::bit_xor, a, integer(of, ~std::uint64_t{0})),
                        a);
  }
  const Type word = Type::integer(32);
  const ValueId zeros = builder_.resize(math(Math::leading_zeros, of, {a}), 32, false);
  const auto highest = static_cast<std::uint64_t>(of.bits) - 1;
  if (!has("shiftamt")) {
    return give(operand(0), builder_.binary(Op::sub, integer(word, highest), zeros));
  }
  const ValueId none = builder_.binary(Op::ugt, zeros, integer(word, highest));
  give(operand(0), builder_.select(none, integer(word, ~std::uint64_t{0}), zeros));
}

// Ones from a place on, as many as are said. What is beyond the highest bit is cut off, or place
// and length are taken modulo 32.
void Emitter::mask_bits() {
  const Type word = Type::integer(32);
  const Type wide = Type::integer(64);
  const auto number = [&](std::size_t index) {
    const ValueId a = value(index, word);
    const ValueId least = has("wrap") ? builder_.binary(Op::bit_and, a, integer(word, 31))
                                      : math(Math::umin, word, {a, integer(word, 32)});
    return builder_.resize(least, 64, false);
  };
  const ValueId begin = number(1);
  const ValueId above = builder_.binary(Op::shl, integer(wide, 1), number(2));
  const ValueId ones = builder_.binary(Op::sub, above, integer(wide, 1));
  give(operand(0), builder_.resize(builder_.binary(Op::shl, ones, begin), 32, false));
}

ValueId Emitter::compared(Compare which, ValueId a, ValueId b) {
  Instruction made;
  made.op = Op::fcompare;
  made.compare = which;
  made.type = Type::integer(1);
  made.operands = {a, b};
  return emit(std::move(made));
}

ValueId Emitter::real_comparison(ValueId a, ValueId b) {
  static constexpr std::array<std::pair<std::string_view, Compare>, 14> comparisons = {
      {{"eq", Compare::oeq},
       {"ne", Compare::one},
       {"lt", Compare::olt},
       {"le", Compare::ole},
       {"gt", Compare::ogt},
       {"ge", Compare::oge},
       {"equ", Compare::ueq},
       {"neu", Compare::une},
       {"ltu", Compare::ult},
       {"leu", Compare::ule},
       {"gtu", Compare::ugt},
       {"geu", Compare::uge},
       {"num", Compare::ordered},
       {"nan", Compare::unordered}}};
  for (const auto& [word, which] : comparisons) {
    if (has(word)) return compared(which, a, b);
  }
  refuse("a comparison of integers");
}

ValueId Emitter::comparison(ValueId a, ValueId b) {
  if (type().type.is_real()) return real_comparison(a, b);
  struct Comparison {
    std::string_view word;
    Op op;
    bool of_unsigned;  // whatever the type
  };
  static constexpr std::array<Comparison, 10> comparisons = {{{"eq", Op::eq, false},
                                                              {"ne", Op::ne, false},
                                                              {"lt", Op::ult, false},
                                                              {"le", Op::ule, false},
                                                              {"gt", Op::ugt, false},
                                                              {"ge", Op::uge, false},
                                                              {"lo", Op::ult, true},
                                                              {"ls", Op::ule, true},
                                                              {"hi", Op::ugt, true},
                                                              {"hs", Op::uge, true}}};
  for (const auto& one : comparisons) {
    if (!has(one.word)) continue;
    if (one.of_unsigned && type().is_signed) refuse("an unsigned comparison of signed numbers");
    return builder_.binary(type().is_signed ? with_sign(one.op) : one.op, a, b);
  }
  refuse("a comparison of reals");
}

// p|q: also its opposite; with a fourth operand both are joined with that.
void Emitter::compare() {
  const Type of = type().type;
  const Type bit = Type::integer(1);
  const ValueId a = value(1, of);
  const ValueId holds = comparison(a, value(2, of));
  const bool joins = has("and") || has("or") || has("xor");
  if (joins != (operands() == 4)) refuse("a third operand goes with '.and', '.or' or '.xor'");
  const Op op = has("and") ? Op::bit_and : has("or") ? Op::bit_or : Op::bit_xor;
  const ValueId with = joins ? value(3, bit) : kNone;
  const auto joined = [&](ValueId result) {
    return joins ? builder_.binary(op, result, with) : result;
  };
  const bool is_pair = operand(0).kind == Operand::Kind::pair;
  give(is_pair ? operand(0).parts[0] : operand(0), joined(holds));
  if (is_pair) {
    give(operand(0).parts[1], joined(builder_.binary(Op::bit_xor, holds, integer(bit, 1))));
  }
}

void Emitter::choose() {
  const Type of = type().type;
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  give(operand(0), builder_.select(value(3, Type::integer(1)), a, b));
}

// The nearest integer to `a` that one of `bits` bits can be, as wide as `a`.
ValueId Emitter::within(ValueId a, bool is_signed, int bits, bool to_signed) {
  const Type of = builder_.type(a);
  const int magnitude = to_signed ? bits - 1 : bits;  // bits of it
  const int own = is_signed ? of.bits - 1 : of.bits;
  ValueId result = a;
  if (is_signed && (!to_signed || magnitude < own)) {
    const std::uint64_t least = to_signed ? ~std::uint64_t{0} << magnitude : 0;
    result = math(Math::smax, of, {result, integer(of, least)});
  }
  if (magnitude < own) {
    const std::uint64_t most = (std::uint64_t{1} << magnitude) - 1;
    result = math(is_signed ? Math::smin : Math::umin, of, {result, integer(of, most)});
  }
  return result;
}

// Registers may be wider than the type on both sides.
void Emitter::convert() {
  if (has("f16x2") || has("bf16x2")) return convert_pair();
  if (has("bf16")) return convert_brain();
  if (operands() != 2) refuse("three operands; expected '.f16x2' or '.bf16x2'");
  if (first_type().type.is_real() || type().type.is_real()) return convert_real();
  for (const std::string_view word : {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"}) {
    if (has(word)) refuse("a rounding of integers");
  }
  const auto [to, to_signed] = first_type();
  const auto [from, from_signed] = type();
  const Operand& source = operand(1);
  Type held = from;
  if (source.kind == Operand::Kind::reg) {
    held = Type::integer(std::max(from.bits, text_.registers[source.number].type.bits));
  }
  const ValueId narrow = builder_.resize(value(1, held), from.bits, false);
  const ValueId fitting = has("sat") ? within(narrow, from_signed, to.bits, to_signed) : narrow;
  const ValueId made = builder_.resize(fitting, to.bits, from_signed);
  const auto half = halves_.find(narrow);
  if (half != halves_.end() && !from_signed) halves_[made] = half->second;
  give_extended(operand(0), made, to_signed);
}

// Numbers that the integer does not have become the nearest that it has (PTX ISA, "cvt").
void Emitter::convert_real() {
  const auto [to, to_signed] = first_type();
  const DataType from_type = type();
  const Type from = from_type.type;
  const bool from_signed = from_type.is_signed;
  const bool whole = has("rni") || has("rzi") || has("rmi") || has("rpi");
  const bool rounds = has("rn") || has("rz") || has("rm") || has("rp");
  const auto convert_to_whole = [&](ValueId a) {
    if (has("rzi")) return math(Math::trunc, from, {a});
    if (has("rni")) return math(Math::rint, from, {a});
    return math(has("rmi") ? Math::floor : Math::ceil, from, {a});
  };
  if (rounds && !has("rn")) refuse("a rounding other than '.rn'");
  if (from.is_real() && to.is_real()) {
    const ValueId a = value(1, from);
    if (from.bits == to.bits) {
      if (rounds) refuse("a rounding of what is not rounded");
      return give(operand(0), whole ? convert_to_whole(a) : a);
    }
    const bool narrows = to.bits < from.bits;
    if (whole || rounds != narrows) refuse("expected '.rn' where a real becomes narrower");
    return give(operand(0), builder_.convert(narrows ? Op::ftrunc : Op::fext, a, to));
  }
  if (from.is_real()) {
    if (!whole) refuse("expected '.rzi', '.rni', '.rmi' or '.rpi'");
    const ValueId a = convert_to_whole(value(1, from));
    const Op op = to_signed ? Op::real_to_sint : Op::real_to_uint;
    ValueId made = builder_.convert(op, a, to, true);
    if (from.bits == 64 || to.bits == 64) {  // there, what is no number does not become 0
      made = builder_.select(compared(Compare::unordered, a, a),
                             integer(to, std::uint64_t{1} << (to.bits - 1)), made);
    }
    return give_extended(operand(0), made, to_signed);
  }
  if (!has("rn")) refuse("expected '.rn'");
  const Operand& source = operand(1);
  Type held = from;
  if (source.kind == Operand::Kind::reg) {
    held = Type::integer(std::max(from.bits, text_.registers[source.number].type.bits));
  }
  const ValueId a = builder_.resize(value(1, held), from.bits, false);
  give(operand(0), builder_.convert(from_signed ? Op::sint_to_real : Op::uint_to_real, a, to));
}

// Between generic addresses, which pointers are, and those of a space. Addresses of global memory
// are the same in both.
void Emitter::convert_address() {
  if (context_ != nullptr) return convert_module_address();
  const Type of = type().type;
  const ValueId at = value(1, of);
  if (has("local") || has("const") || has("param")) {
    refuse("addresses of this space are not modelled");
  }
  if (has("global")) return give(operand(0), at);
  if (of.bits != 64) refuse("expected .u64");
  const bool to = has("to");
  auto pointer = pointer_of(builder_, at, !to, *shared_);
  if (!pointer && (!to || pointer_of(builder_, at, true, *shared_))) {
    refuse(to ? "an address of shared memory; expected a generic one"
              : "an address of shared memory that does not lead back to cvta.to.shared");
  }
  if (!pointer) pointer = builder_.convert(Op::int_to_pointer, at, Type::pointer());
  check_space(*pointer, is_shared(), has("global"));
  // A number of its own, as the generic address is another one.
  const Type number = Type::integer(64);
  const ValueId made = builder_.operation(Op::pointer_to_int, number, {*pointer});
  if (to) shared_->insert(made);
  give(operand(0), made);
}

// Bits from a place on, as many as are said, and below the highest one of them all are as it is.
void Emitter::extract_field() {
  const auto [of, is_signed] = type();
  const Type word = Type::integer(32);
  const ValueId a = value(1, of);
  const auto from = known(2, word);
  const auto length = known(3, word);
  if (!from || !length) refuse("a place or a length that is no constant");
  const auto width = static_cast<std::uint64_t>(of.bits);
  const std::uint64_t begin = *from & 0xff;
  const std::uint64_t count = std::min(*length & 0xff, width);
  if (count == 0) return give(operand(0), integer(of, 0));
  if (begin + count > width) {  // beyond the highest bit all are as it is, or 0
    if (!is_signed && begin >= width) return give(operand(0), integer(of, 0));
    return give(operand(0), builder_.binary(is_signed ? Op::ashr : Op::lshr, a,
                                            integer(of, std::min(begin, width - 1))));
  }
  const ValueId high = builder_.binary(Op::shl, a, integer(of, width - begin - count));
  give(operand(0),
       builder_.binary(is_signed ? Op::ashr : Op::lshr, high, integer(of, width - count)));
}

void Emitter::insert_field() {
  const Type of = type().type;
  const Type word = Type::integer(32);
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  const auto from = known(3, word);
  const auto length = known(4, word);
  if (!from || !length) refuse("a place or a length that is no constant");
  const auto width = static_cast<std::uint64_t>(of.bits);
  const std::uint64_t begin = *from & 0xff;
  if (begin >= width || (*length & 0xff) == 0) return give(operand(0), b);
  const std::uint64_t count = std::min(*length & 0xff, width - begin);
  if (begin == 32 && count == 32) {
    if (const auto whole = joined_halves(b, a)) return give(operand(0), *whole);
  }
  const std::uint64_t ones = (~std::uint64_t{0} >> (64 - count)) << begin;
  const ValueId placed = builder_.binary(Op::shl, a, integer(of, begin));
  give(operand(0),
       builder_.binary(Op::bit_or, builder_.binary(Op::bit_and, placed, integer(of, ones)),
                       builder_.binary(Op::bit_and, b, integer(of, ~ones))));
}

}  // namespace headway::kernel::ptx
