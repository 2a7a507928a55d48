// Instructions that take words apart: bytes, bits by a table, two words as one.
#include <utility>

#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr Type kLow = Type::integer(32);

}  // namespace

ValueId Emitter::pair_of(ValueId low, ValueId high) {
  const ValueId above =
      builder_.binary(Op::shl, builder_.resize(high, 64, false), builder_.integer(64, 32));
  return builder_.binary(Op::bit_or, above, builder_.resize(low, 64, false));
}

// sad d, a, b, c: |a - b| + c.
void Emitter::difference() {
  const auto [of, is_signed] = type();
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  const ValueId less = builder_.binary(is_signed ? Op::slt : Op::ult, a, b);
  const ValueId between =
      builder_.select(less, builder_.binary(Op::sub, b, a), builder_.binary(Op::sub, a, b));
  give(operand(0), builder_.binary(Op::add, between, value(3, of)));
}

// lop3 d, a, b, c, table: bit i of the table is what three bits give of which i is made.
void Emitter::lookup() {
  const auto table = known(4, kLow);
  if (!table || *table > 0xff) refuse("a table that is no constant from 0 to 255");
  const ValueId ones = integer(kLow, ~std::uint64_t{0});
  const ValueId inputs[] = {value(1, kLow), value(2, kLow), value(3, kLow)};
  ValueId result = integer(kLow, 0);
  for (unsigned row = 0; row < 8; ++row) {
    if ((*table >> row & 1) == 0) continue;
    ValueId all = ones;
    for (unsigned i = 0; i < 3; ++i) {
      const bool is_one = (row >> (2 - i) & 1) != 0;
      const ValueId bit = is_one ? inputs[i] : builder_.binary(Op::bit_xor, inputs[i], ones);
      all = builder_.binary(Op::bit_and, all, bit);
    }
    result = builder_.binary(Op::bit_or, result, all);
  }
  give(operand(0), result);
}

// prmt d, a, b, c: each byte is one of the eight of b:a, as four bits of c say; with the highest of
// these, its sign in all bits.
void Emitter::permute() {
  const ValueId whole = pair_of(value(1, kLow), value(2, kLow));
  const ValueId selectors = value(3, kLow);
  ValueId result = integer(kLow, 0);
  for (std::uint64_t i = 0; i < 4; ++i) {
    const ValueId selector = builder_.binary(Op::lshr, selectors, integer(kLow, 4 * i));
    const ValueId place = builder_.binary(Op::bit_and, selector, integer(kLow, 7));
    const ValueId by = builder_.binary(Op::shl, place, integer(kLow, 3));
    const ValueId byte =
        builder_.resize(builder_.binary(Op::lshr, whole, builder_.resize(by, 64, false)), 8, false);
    const ValueId sign = builder_.binary(Op::ashr, byte, builder_.integer(8, 7));
    const ValueId of_sign = truth(builder_.binary(Op::bit_and, selector, integer(kLow, 8)));
    const ValueId chosen = builder_.resize(builder_.select(of_sign, sign, byte), 32, false);
    result =
        builder_.binary(Op::bit_or, result, builder_.binary(Op::shl, chosen, integer(kLow, 8 * i)));
  }
  give(operand(0), result);
}

// shf d, a, b, c: the high word of b:a, shifted left, or the low one, shifted right.
void Emitter::funnel() {
  const bool is_left = row_->opcode == "shf.l";
  const ValueId low = value(1, kLow);
  const ValueId high = value(2, kLow);
  const ValueId by = value(3, kLow);
  const ValueId moved =
      math(is_left ? Math::funnel_left : Math::funnel_right, kLow, {high, low, by});
  if (has("wrap")) return give(operand(0), moved);
  const ValueId fits = builder_.binary(Op::ult, by, integer(kLow, 32));
  give(operand(0), builder_.select(fits, moved, is_left ? low : high));
}

// mul24 d, a, b: the lowest or the highest 32 of the 48 bits of a product of 24 bits each; mad24
// adds to it.
void Emitter::product_of_24() {
  const bool is_signed = type().is_signed;
  const auto low_part = [&](std::size_t index) {
    const ValueId high = builder_.binary(Op::shl, value(index, kLow), integer(kLow, 8));
    const ValueId part = builder_.binary(is_signed ? Op::ashr : Op::lshr, high, integer(kLow, 8));
    return builder_.resize(part, 64, is_signed);
  };
  const ValueId a = low_part(1);
  const ValueId all = builder_.binary(Op::mul, a, low_part(2));
  const ValueId by = builder_.integer(64, has("hi") ? 16 : 0);
  const ValueId part = builder_.resize(builder_.binary(Op::lshr, all, by), 32, false);
  give(operand(0), operands() == 3 ? part : builder_.binary(Op::add, part, value(3, kLow)));
}

void Emitter::is_zero() {
  const Type of = type().type;
  const ValueId is = builder_.binary(Op::eq, value(1, of), integer(of, 0));
  give(operand(0), builder_.resize(is, of.bits, false));
}

// slct d, a, b, c: a where c is not negative, else b, as for what is no number; bit by bit.
void Emitter::choose_by_sign() {
  const Type of = Type::integer(first_type().type.bits);
  const Type by = type().type;
  const ValueId a = value(1, of);
  const ValueId b = value(2, of);
  const ValueId c = value(3, by);
  const ValueId least = by.is_real() ? builder_.constant(by, 0) : integer(by, 0);
  give(operand(0), builder_.select(by.is_real() ? compared(Compare::oge, c, least)
                                                : builder_.binary(Op::sge, c, least),
                                   a, b));
}

// copysign d, a, b: b with the sign of a.
void Emitter::copy_sign() {
  const Type of = type().type;
  const Type bits = Type::integer(of.bits);
  const ValueId sign = integer(bits, std::uint64_t{1} << (of.bits - 1));
  const ValueId rest = integer(bits, (std::uint64_t{1} << (of.bits - 1)) - 1);
  const ValueId a = builder_.convert(Op::bitcast, value(1, of), bits);
  const ValueId b = builder_.convert(Op::bitcast, value(2, of), bits);
  const ValueId made = builder_.binary(Op::bit_or, builder_.binary(Op::bit_and, a, sign),
                                       builder_.binary(Op::bit_and, b, rest));
  give(operand(0), builder_.convert(Op::bitcast, made, of));
}

// dp4a d, a, b, c: the products of four bytes each, and c.
void Emitter::dot() {
  const bool of_a = first_type().is_signed, of_b = type().is_signed;
  const ValueId a = value(1, kLow);
  const ValueId b = value(2, kLow);
  ValueId sum = value(3, kLow);
  const auto byte = [&](ValueId word, std::uint64_t at, bool is_signed) {
    const ValueId moved = builder_.binary(Op::lshr, word, integer(kLow, at));
    return builder_.resize(builder_.resize(moved, 8, false), 32, is_signed);
  };
  for (std::uint64_t at = 0; at < 32; at += 8) {
    sum = builder_.binary(Op::add, sum,
                          builder_.binary(Op::mul, byte(a, at, of_a), byte(b, at, of_b)));
  }
  give(operand(0), sum);
}

}  // namespace headway::kernel::ptx
