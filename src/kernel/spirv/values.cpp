#include "kernel/spirv/values.hpp"

#include <fmt/format.h>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel::spirv {
namespace {

std::optional<Op> binary_of(spv::Op op) {
  switch (op) {
    case spv::Op::OpIAdd:
      return Op::add;
    case spv::Op::OpISub:
      return Op::sub;
    case spv::Op::OpIMul:
      return Op::mul;
    case spv::Op::OpUDiv:
      return Op::udiv;
    case spv::Op::OpSDiv:
      return Op::sdiv;
    case spv::Op::OpUMod:
      return Op::urem;
    case spv::Op::OpSRem:
      return Op::srem;
    case spv::Op::OpFAdd:
      return Op::fadd;
    case spv::Op::OpFSub:
      return Op::fsub;
    case spv::Op::OpFMul:
      return Op::fmul;
    case spv::Op::OpFDiv:
      return Op::fdiv;
    case spv::Op::OpFRem:
      return Op::frem;
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return Op::bit_and;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return Op::bit_or;
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpLogicalNotEqual:
      return Op::bit_xor;
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpIEqual:
    case spv::Op::OpPtrEqual:
      return Op::eq;
    case spv::Op::OpINotEqual:
    case spv::Op::OpPtrNotEqual:
      return Op::ne;
    case spv::Op::OpUGreaterThan:
      return Op::ugt;
    case spv::Op::OpSGreaterThan:
      return Op::sgt;
    case spv::Op::OpUGreaterThanEqual:
      return Op::uge;
    case spv::Op::OpSGreaterThanEqual:
      return Op::sge;
    case spv::Op::OpULessThan:
      return Op::ult;
    case spv::Op::OpSLessThan:
      return Op::slt;
    case spv::Op::OpULessThanEqual:
      return Op::ule;
    case spv::Op::OpSLessThanEqual:
      return Op::sle;
    default:
      return {};
  }
}

std::optional<Compare> comparison_of(spv::Op op) {
  switch (op) {
    case spv::Op::OpFOrdEqual:
      return Compare::oeq;
    case spv::Op::OpFUnordEqual:
      return Compare::ueq;
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpLessOrGreater:
      return Compare::one;
    case spv::Op::OpFUnordNotEqual:
      return Compare::une;
    case spv::Op::OpFOrdLessThan:
      return Compare::olt;
    case spv::Op::OpFUnordLessThan:
      return Compare::ult;
    case spv::Op::OpFOrdGreaterThan:
      return Compare::ogt;
    case spv::Op::OpFUnordGreaterThan:
      return Compare::ugt;
    case spv::Op::OpFOrdLessThanEqual:
      return Compare::ole;
    case spv::Op::OpFUnordLessThanEqual:
      return Compare::ule;
    case spv::Op::OpFOrdGreaterThanEqual:
      return Compare::oge;
    case spv::Op::OpFUnordGreaterThanEqual:
      return Compare::uge;
    case spv::Op::OpOrdered:
      return Compare::ordered;
    case spv::Op::OpUnordered:
      return Compare::unordered;
    default:
      return {};
  }
}

std::optional<Op> conversion_of(spv::Op op, Type from, Type to) {
  switch (op) {
    case spv::Op::OpUConvert:
      return from.bits > to.bits ? Op::trunc : Op::zext;
    case spv::Op::OpSConvert:
      return from.bits > to.bits ? Op::trunc : Op::sext;
    case spv::Op::OpFConvert:
      return from.bits > to.bits ? Op::ftrunc : Op::fext;
    case spv::Op::OpConvertFToU:
      return Op::real_to_uint;
    case spv::Op::OpConvertFToS:
      return Op::real_to_sint;
    case spv::Op::OpConvertUToF:
      return Op::uint_to_real;
    case spv::Op::OpConvertSToF:
      return Op::sint_to_real;
    default:
      return {};
  }
}

}  // namespace

ValueId Values::math(Math math, Type type, std::initializer_list<ValueId> operands) {
  // What is known is computed, as sizes may depend on it.
  std::uint64_t bits[3] = {0, 0, 0};
  std::size_t at = 0;
  bool known = true;
  for (const ValueId operand : operands) {
    const auto value = builder_.known(operand);
    known = known && value;
    if (value) bits[at] = *value;
    ++at;
  }
  if (known && math != Math::opaque) {
    const auto folded = math_result(math, builder_.type(*operands.begin()), type, bits[0], bits[1],
                                    bits[2], ComputedBy::device);
    if (folded) return builder_.constant(type, *folded);
  }
  Instruction made;
  made.op = Op::math;
  made.math = math;
  made.type = type;
  made.operands = operands;
  made.result = builder_.forward(type);
  return builder_.emit(std::move(made));
}

ValueId Values::opaque(Type type, const std::vector<ValueId>& operands, std::uint32_t which) {
  Instruction made;
  made.op = Op::math;
  made.math = Math::opaque;
  made.type = type;
  // Which function it is counts as an operand.
  made.operands = operands;
  made.operands.push_back(builder_.integer(32, which));
  if (made.operands.size() > 3) throw Unsupported("a function of many operands");
  made.result = builder_.forward(type);
  return builder_.emit(std::move(made));
}

ValueId Values::opaque_of(Type type, const Parts& operands, std::uint32_t which) {
  ValueId whole = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    whole = opaque(Type::integer(64), {whole, operands[i]}, which);
  }
  return opaque(type, {whole}, which);
}

ValueId Values::compare(Compare compare, ValueId a, ValueId b) {
  const auto x = builder_.known(a);
  const auto y = builder_.known(b);
  if (x && y) {
    return builder_.integer(1, real_comparison(compare, builder_.type(a).bits, *x, *y) ? 1 : 0);
  }
  Instruction made;
  made.op = Op::fcompare;
  made.compare = compare;
  made.type = Type::integer(1);
  made.operands = {a, b};
  made.result = builder_.forward(made.type);
  return builder_.emit(std::move(made));
}

ValueId Values::real(Type type, double value) {
  return builder_.constant(type, from_double(value, type.bits));
}

// Shifts may be of another width than what they shift; too much of one stays too much.
ValueId Values::shifted(Op op, ValueId value, ValueId by) {
  const int bits = builder_.type(value).bits;
  const int own = builder_.type(by).bits;
  if (wraps_shifts(language_)) {
    by = builder_.binary(Op::bit_and, by, builder_.integer(own, static_cast<unsigned>(bits - 1)));
  }
  if (own > bits) {
    const ValueId fits =
        builder_.binary(Op::ult, by, builder_.integer(own, static_cast<unsigned>(bits)));
    by = builder_.select(fits, builder_.resize(by, bits, false),
                         builder_.integer(bits, static_cast<unsigned>(bits)));
  } else {
    by = builder_.resize(by, bits, false);
  }
  return builder_.binary(op, value, by);
}

// What is left of a division of what is not negative, and any value else.
ValueId Values::rest_of_positive(ValueId a, ValueId b) {
  const int bits = builder_.type(a).bits;
  const ValueId zero = builder_.integer(bits, 0);
  const ValueId any =
      opaque(Type::integer(bits), {a, b}, static_cast<std::uint32_t>(spv::Op::OpSMod));
  const ValueId is_negative = builder_.binary(Op::bit_or, builder_.binary(Op::slt, a, zero),
                                              builder_.binary(Op::slt, b, zero));
  return builder_.select(is_negative, any, builder_.binary(Op::srem, a, b));
}

// With the sign of the second operand. HLSL defines it for operands of one sign alone.
ValueId Values::modulo(ValueId a, ValueId b) {
  const int bits = builder_.type(a).bits;
  const ValueId rest = builder_.binary(Op::srem, a, b);
  const ValueId zero = builder_.integer(bits, 0);
  if (leaves_rests_open_) return rest_of_positive(a, b);
  if (language_ == SourceLanguage::hlsl) {
    const ValueId differ = builder_.binary(Op::slt, builder_.binary(Op::bit_xor, a, b), zero);
    const ValueId any =
        opaque(Type::integer(bits), {a, b}, static_cast<std::uint32_t>(spv::Op::OpSMod));
    return builder_.select(differ, any, rest);
  }
  const ValueId differs = builder_.binary(Op::slt, builder_.binary(Op::bit_xor, rest, b), zero);
  const ValueId moves = builder_.binary(Op::bit_and, differs, builder_.binary(Op::ne, rest, zero));
  return builder_.select(moves, builder_.binary(Op::add, rest, b), rest);
}

ValueId Values::real_modulo(ValueId a, ValueId b) {
  const Type type = builder_.type(a);
  const ValueId quotient = builder_.binary(Op::fdiv, a, b);
  const ValueId whole = math(Math::floor, type, {quotient});
  const ValueId rest = builder_.binary(Op::fsub, a, builder_.binary(Op::fmul, b, whole));
  if (language_ != SourceLanguage::hlsl) return rest;
  // glslang writes HLSL's fmod(), which goes by the sign of `a`, and its `%`, which has no value
  // where signs differ, alike.
  const ValueId zero = real(type, 0);
  const ValueId differ =
      builder_.binary(Op::bit_xor, compare(Compare::olt, a, zero), compare(Compare::olt, b, zero));
  return builder_.select(differ, opaque(type, {a, b}, static_cast<std::uint32_t>(spv::Op::OpFMod)),
                         rest);
}

// A shift whose amount is too large where bits are taken that a number does not have.
ValueId Values::field_shift(Op op, ValueId value, ValueId by) {
  const ValueId result = builder_.binary(op, value, by);
  auto& code = builder_.function().blocks[builder_.here()].code;
  if (!code.empty() && code.back().result == result) code.back().kind = kOfBitField;
  return result;
}

// Whether so many bits from there on are bits that a number has.
ValueId Values::is_field(int bits, ValueId offset, ValueId count) {
  const ValueId width = builder_.integer(bits, static_cast<unsigned>(bits));
  const ValueId room = builder_.binary(Op::sub, width, count);
  return builder_.binary(Op::bit_and, builder_.binary(Op::ule, count, width),
                         builder_.binary(Op::ule, offset, room));
}

ValueId Values::extracted(ValueId base, ValueId offset, ValueId count, bool is_signed) {
  const int bits = builder_.type(base).bits;
  offset = builder_.resize(offset, bits, false);
  count = builder_.resize(count, bits, false);
  const ValueId zero = builder_.integer(bits, 0);
  const ValueId none = builder_.binary(Op::eq, count, zero);
  const ValueId width = builder_.integer(bits, static_cast<unsigned>(bits));
  const ValueId above = builder_.binary(Op::sub, width, count);
  const ValueId right = builder_.select(none, zero, above);
  const ValueId left =
      builder_.select(none, zero,
                      builder_.select(is_field(bits, offset, count),
                                      builder_.binary(Op::sub, above, offset), width));
  const ValueId high = field_shift(Op::shl, base, left);
  return builder_.select(none, zero, field_shift(is_signed ? Op::ashr : Op::lshr, high, right));
}

ValueId Values::inserted(ValueId base, ValueId insert, ValueId offset, ValueId count) {
  const int bits = builder_.type(base).bits;
  offset = builder_.resize(offset, bits, false);
  count = builder_.resize(count, bits, false);
  const ValueId zero = builder_.integer(bits, 0);
  const ValueId none = builder_.binary(Op::eq, count, zero);
  const ValueId width = builder_.integer(bits, static_cast<unsigned>(bits));
  const ValueId right = builder_.select(none, zero, builder_.binary(Op::sub, width, count));
  const ValueId low = field_shift(Op::lshr, builder_.integer(bits, ~std::uint64_t{0}), right);
  const ValueId place =
      builder_.select(none, zero, builder_.select(is_field(bits, offset, count), offset, width));
  const ValueId mask = field_shift(Op::shl, low, place);
  const ValueId moved = field_shift(Op::shl, insert, place);
  const ValueId kept = builder_.binary(
      Op::bit_and, base,
      builder_.binary(Op::bit_xor, mask, builder_.integer(bits, ~std::uint64_t{0})));
  const ValueId result =
      builder_.binary(Op::bit_or, kept, builder_.binary(Op::bit_and, moved, mask));
  return builder_.select(none, base, result);
}

// The low parts, then the high ones.
Parts Values::wide_product(const Parts& a, const Parts& b, bool is_signed) {
  Parts low;
  Parts high;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Type type = builder_.type(a[i]);
    low.push_back(builder_.binary(Op::mul, a[i], b[i]));
    high.push_back(math(is_signed ? Math::mul_high_s : Math::mul_high_u, type, {a[i], b[i]}));
  }
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

ValueId Values::dot(const Parts& a, const Parts& b) {
  ValueId sum = builder_.binary(Op::fmul, a[0], b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) {
    sum = builder_.binary(Op::fadd, sum, builder_.binary(Op::fmul, a[i], b[i]));
  }
  return sum;
}

ValueId Values::bitcast(ValueId value, Type to) {
  const Type from = builder_.type(value);
  if (from == to) return value;
  if (from.is_pointer()) return builder_.convert(Op::pointer_to_int, value, to);
  if (to.is_pointer()) return builder_.convert(Op::int_to_pointer, value, to);
  return builder_.convert(Op::bitcast, value, to);
}

Parts Values::bitcast(const Parts& from, const std::vector<Type>& to) {
  Parts all;
  if (from.size() == to.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) all.push_back(bitcast(from[i], to[i]));
    return all;
  }
  // One side's parts are several of the other's, the first the lowest.
  const bool joins = from.size() > to.size();
  const std::size_t each = joins ? from.size() / to.size() : to.size() / from.size();
  if (joins) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const int bits = to[i].bits;
      ValueId whole = builder_.integer(bits, 0);
      for (std::size_t j = 0; j < each; ++j) {
        const ValueId part = from[i * each + j];
        const int width = builder_.type(part).bits;
        const ValueId wide = builder_.resize(bitcast(part, Type::integer(width)), bits, false);
        whole = builder_.binary(
            Op::bit_or, whole,
            builder_.binary(Op::shl, wide,
                            builder_.integer(bits, j * static_cast<unsigned>(width))));
      }
      all.push_back(bitcast(whole, to[i]));
    }
    return all;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    const ValueId part = from[i / each];
    const int bits = builder_.type(part).bits;
    const ValueId whole = bitcast(part, Type::integer(bits));
    const ValueId shifted_down = builder_.binary(
        Op::lshr, whole, builder_.integer(bits, i % each * static_cast<unsigned>(to[i].bits)));
    all.push_back(bitcast(builder_.resize(shifted_down, to[i].bits, false), to[i]));
  }
  return all;
}

std::optional<Parts> Values::operation(spv::Op op, const std::vector<Type>& result,
                                       const std::vector<Parts>& operands) {
  const auto each = [&](const auto& make) {
    Parts all;
    for (std::size_t i = 0; i < operands[0].size(); ++i) all.push_back(make(i));
    return all;
  };
  const Parts none;
  const Parts& a = operands.empty() ? none : operands[0];
  const Parts& b = operands.size() > 1 ? operands[1] : none;
  const bool fits = b.size() == a.size();
  if (op == spv::Op::OpSRem && leaves_rests_open_ && fits) {
    return each([&](std::size_t i) { return rest_of_positive(a[i], b[i]); });
  }
  if (const auto made = binary_of(op); made && fits) {
    return each([&](std::size_t i) { return builder_.binary(*made, a[i], b[i]); });
  }
  if (const auto made = comparison_of(op); made && fits) {
    return each([&](std::size_t i) { return compare(*made, a[i], b[i]); });
  }
  if (!a.empty() && a.size() == result.size()) {
    if (conversion_of(op, builder_.type(a[0]), result[0])) {
      return each([&](std::size_t i) {
        const Type from = builder_.type(a[i]);
        return builder_.convert(*conversion_of(op, from, result[i]), a[i], result[i]);
      });
    }
  }
  switch (op) {
    case spv::Op::OpShiftLeftLogical:
      return each([&](std::size_t i) { return shifted(Op::shl, a[i], b[i]); });
    case spv::Op::OpShiftRightLogical:
      return each([&](std::size_t i) { return shifted(Op::lshr, a[i], b[i]); });
    case spv::Op::OpShiftRightArithmetic:
      return each([&](std::size_t i) { return shifted(Op::ashr, a[i], b[i]); });
    case spv::Op::OpSMod:
      return each([&](std::size_t i) { return modulo(a[i], b[i]); });
    case spv::Op::OpFMod:
      return each([&](std::size_t i) { return real_modulo(a[i], b[i]); });
    case spv::Op::OpSNegate:
      return each([&](std::size_t i) {
        return builder_.binary(Op::sub, builder_.constant(builder_.type(a[i]), 0), a[i]);
      });
    case spv::Op::OpFNegate:
      return each([&](std::size_t i) {
        const Type type = builder_.type(a[i]);
        if (const auto known = builder_.known(a[i])) {
          return builder_.constant(type, real_result(Op::fneg, type.bits, *known, 0));
        }
        return builder_.operation(Op::fneg, type, {a[i]});
      });
    case spv::Op::OpNot:
    case spv::Op::OpLogicalNot:
      return each([&](std::size_t i) {
        const int bits = builder_.type(a[i]).bits;
        return builder_.binary(Op::bit_xor, a[i], builder_.integer(bits, ~std::uint64_t{0}));
      });
    case spv::Op::OpSelect:
      if (operands.size() == 3) {
        Parts all;
        for (std::size_t i = 0; i < b.size(); ++i) {
          all.push_back(builder_.select(a[a.size() == 1 ? 0 : i], b[i], operands[2][i]));
        }
        return all;
      }
      break;
    case spv::Op::OpIsNan:
    case spv::Op::OpIsInf:
    case spv::Op::OpIsFinite:
    case spv::Op::OpSignBitSet: {
      const Math which = op == spv::Op::OpIsNan      ? Math::is_nan
                         : op == spv::Op::OpIsInf    ? Math::is_inf
                         : op == spv::Op::OpIsFinite ? Math::is_finite
                                                     : Math::sign_bit;
      return each([&](std::size_t i) { return math(which, Type::integer(1), {a[i]}); });
    }
    case spv::Op::OpAny:
    case spv::Op::OpAll: {
      ValueId whole = a.front();
      for (std::size_t i = 1; i < a.size(); ++i) {
        whole = builder_.binary(op == spv::Op::OpAny ? Op::bit_or : Op::bit_and, whole, a[i]);
      }
      return Parts{whole};
    }
    case spv::Op::OpBitcast:
      return bitcast(a, result);
    case spv::Op::OpConvertPtrToU:  // of which a narrower integer has the low bits
      return Parts{builder_.resize(builder_.convert(Op::pointer_to_int, a[0], Type::integer(64)),
                                   result[0].bits, false)};
    case spv::Op::OpConvertUToPtr:
      if (builder_.type(a[0]).bits != result[0].bits) {
        throw Unsupported("a pointer as an integer of another width");
      }
      return Parts{bitcast(a[0], result[0])};
    case spv::Op::OpDot:
      return Parts{dot(a, b)};
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
      return each([&](std::size_t i) { return builder_.binary(Op::fmul, a[i], b[0]); });
    case spv::Op::OpIAddCarry:
    case spv::Op::OpISubBorrow: {
      const bool adds = op == spv::Op::OpIAddCarry;
      Parts all = each(
          [&](std::size_t i) { return builder_.binary(adds ? Op::add : Op::sub, a[i], b[i]); });
      for (std::size_t i = 0; i < a.size(); ++i) {
        // A sum that is less than an addend has wrapped around.
        const ValueId wraps =
            adds ? builder_.binary(Op::ult, all[i], a[i]) : builder_.binary(Op::ult, a[i], b[i]);
        all.push_back(builder_.resize(wraps, builder_.type(a[i]).bits, false));
      }
      return all;
    }
    case spv::Op::OpUMulExtended:
      return wide_product(a, b, false);
    case spv::Op::OpSMulExtended:
      return wide_product(a, b, true);
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract:
      return each([&](std::size_t i) {
        return extracted(a[i], b[0], operands[2][0], op == spv::Op::OpBitFieldSExtract);
      });
    case spv::Op::OpBitFieldInsert:
      return each(
          [&](std::size_t i) { return inserted(a[i], b[i], operands[2][0], operands[3][0]); });
    case spv::Op::OpBitReverse:
      return each(
          [&](std::size_t i) { return math(Math::reverse_bits, builder_.type(a[i]), {a[i]}); });
    case spv::Op::OpBitCount:
      return each([&](std::size_t i) {
        const Type type = builder_.type(a[i]);
        return builder_.resize(math(Math::popcount, type, {a[i]}), result[i].bits, false);
      });
    case spv::Op::OpQuantizeToF16:
      return each(
          [&](std::size_t i) { return opaque(result[i], {a[i]}, static_cast<std::uint32_t>(op)); });
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpExpectKHR:
      return a;
    default:
      break;
  }
  return {};
}

}  // namespace headway::kernel::spirv
