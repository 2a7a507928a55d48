// Instructions that compute.
#include <fmt/format.h>

#include <algorithm>
#include <array>

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

void Emitter::binary() {
  const Type of = type().type;
  const ValueId a = value(1, of);
  give(operand(0), builder_.binary(row_->op, a, value(2, of)));
}

void Emitter::divide() {
  const auto [of, is_signed] = type();
  const bool remains = row_->opcode == "rem";
  const Op op = is_signed ? (remains ? Op::srem : Op::sdiv) : (remains ? Op::urem : Op::udiv);
  const ValueId a = value(1, of);
  give(operand(0), builder_.binary(op, a, value(2, of)));
}

void Emitter::minimum() {
  const auto [of, is_signed] = type();
  const bool is_least = row_->opcode == "min";
  const Math function =
      is_signed ? (is_least ? Math::smin : Math::smax) : (is_least ? Math::umin : Math::umax);
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

void Emitter::multiply() { give(operand(0), product()); }

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

ValueId Emitter::comparison(ValueId a, ValueId b) {
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
  refuse("a comparison that is not known");
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

// Registers may be wider than the type on both sides.
void Emitter::convert() {
  const auto [to, to_signed] = first_type();
  const auto [from, from_signed] = type();
  const Operand& source = operand(1);
  Type held = from;
  if (source.kind == Operand::Kind::reg) {
    held = Type::integer(std::max(from.bits, text_.registers[source.number].type.bits));
  }
  const ValueId narrow = builder_.resize(value(1, held), from.bits, false);
  give_extended(operand(0), builder_.resize(narrow, to.bits, from_signed), to_signed);
}

// Between generic addresses, which pointers are, and those of a space. Addresses of global memory
// are the same in both.
void Emitter::convert_address() {
  const Type of = type().type;
  const ValueId at = value(1, of);
  if (has("local") || has("const")) refuse("addresses of this space are not modelled");
  if (has("global")) return give(operand(0), at);
  if (of.bits != 64) refuse("expected .u64");
  const bool to = has("to");
  auto pointer = pointer_of(builder_, at, !to, shared_);
  if (!pointer && (!to || pointer_of(builder_, at, true, shared_))) {
    refuse(to ? "an address of shared memory; expected a generic one"
              : "an address of shared memory that does not lead back to cvta.to.shared");
  }
  if (!pointer) pointer = builder_.convert(Op::int_to_pointer, at, Type::pointer());
  check_space(*pointer, is_shared(), has("global"));
  // A number of its own, as the generic address is another one.
  const Type number = Type::integer(64);
  const ValueId made = builder_.operation(Op::pointer_to_int, number, {*pointer});
  if (to) shared_.insert(made);
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
  if (begin + count > width) refuse("a field beyond the highest bit");
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
  const std::uint64_t ones = (~std::uint64_t{0} >> (64 - count)) << begin;
  const ValueId placed = builder_.binary(Op::shl, a, integer(of, begin));
  give(operand(0),
       builder_.binary(Op::bit_or, builder_.binary(Op::bit_and, placed, integer(of, ones)),
                       builder_.binary(Op::bit_and, b, integer(of, ~ones))));
}

}  // namespace headway::kernel::ptx
