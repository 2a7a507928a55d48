// Instructions that compute with halves: one in a register of 16 bits (.f16), or two in one of 32
// (.f16x2), lane by lane; and conversions from and to bfloat16.
#include <functional>
#include <utility>
#include <vector>

#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr Type kHalf = Type::real(16);
constexpr Type kBits = Type::integer(16);
constexpr Type kPacked = Type::integer(32);

// Of 16 bits each; the first one is the lower one.
ValueId joined(Builder& builder, ValueId low, ValueId high) {
  const auto word = [&](ValueId half) {
    return builder.resize(builder.convert(Op::bitcast, half, kBits), 32, false);
  };
  return builder.binary(Op::bit_or, word(low),
                        builder.binary(Op::shl, word(high), builder.integer(32, 16)));
}

}  // namespace

bool Emitter::is_of_halves() const { return has("f16") || has("f16x2"); }

std::vector<ValueId> Emitter::lanes(std::size_t index) {
  if (!has("f16x2")) return {value(index, kHalf)};
  const ValueId both = value(operand(index), kPacked);
  const ValueId high = builder_.binary(Op::lshr, both, integer(kPacked, 16));
  std::vector<ValueId> result;
  for (const ValueId word : {both, high}) {
    const ValueId bits = builder_.resize(word, 16, false);
    result.push_back(flushed(builder_.convert(Op::bitcast, bits, kHalf)));
  }
  return result;
}

// Gives what `act` makes of each lane of all operands behind the first one.
void Emitter::each_lane(const std::function<ValueId(const std::vector<ValueId>&)>& act) {
  std::vector<std::vector<ValueId>> in;  // by lane
  for (std::size_t k = 1; k < operands(); ++k) {
    const std::vector<ValueId> of = lanes(k);
    in.resize(of.size());
    for (std::size_t lane = 0; lane < of.size(); ++lane) in[lane].push_back(of[lane]);
  }
  std::vector<ValueId> made;
  made.reserve(in.size());
  for (const std::vector<ValueId>& lane : in) made.push_back(saturated(flushed(act(lane))));
  give(operand(0), made.size() == 1 ? made.front() : joined(builder_, made[0], made[1]));
}

// Rounded once. Products of halves are reals of 64 bits; of the sum there are the digits that these
// have room for, and below them whether there are more ("rounding to odd").
ValueId Emitter::fused(const std::vector<ValueId>& halves) {
  const Type wide = Type::real(64);
  const Type bits = Type::integer(64);
  std::vector<ValueId> all;
  all.reserve(halves.size());
  for (const ValueId half : halves) all.push_back(builder_.convert(Op::fext, half, wide));
  const auto sum = [&](Math rounding) {
    return builder_.convert(Op::bitcast, math(rounding, wide, all), bits);
  };
  const ValueId least = sum(Math::fma_rz);
  const ValueId up = sum(Math::fma_ru);
  const ValueId more = builder_.resize(builder_.binary(Op::ne, up, sum(Math::fma_rd)), 64, false);
  const ValueId odd = builder_.binary(Op::bit_or, least, more);
  return builder_.convert(Op::ftrunc, builder_.convert(Op::bitcast, odd, wide), kHalf);
}

// The nearest bfloat16, as its bits: the upper half of those of a real of 32 bits. Of two that are
// equally near it is the even one, and of no number the canonical one.
ValueId Emitter::brain(ValueId single) {
  const ValueId bits = builder_.convert(Op::bitcast, single, kPacked);
  const ValueId high = builder_.binary(Op::lshr, bits, integer(kPacked, 16));
  const ValueId even = builder_.binary(Op::bit_and, high, integer(kPacked, 1));
  const ValueId carried =
      builder_.binary(Op::add, bits, builder_.binary(Op::add, even, integer(kPacked, 0x7fff)));
  const ValueId is_number = compared(Compare::ordered, single, single);
  const ValueId rounded = builder_.binary(Op::lshr, carried, integer(kPacked, 16));
  return builder_.resize(builder_.select(is_number, rounded, integer(kPacked, 0x7fff)), 16, false);
}

void Emitter::halves() {
  using Lane = std::vector<ValueId>;
  for (const char* other : {"rz", "rm", "rp"}) {
    if (has(other)) refuse("a rounding of halves other than '.rn'");
  }
  if (has("lo") || has("hi") || has("wide")) refuse("a part of a product of halves");
  const Action action = row_->action;
  if (action == Action::binary || action == Action::multiply) {
    const Op op = action == Action::multiply ? Op::fmul : row_->op == Op::add ? Op::fadd : Op::fsub;
    return each_lane([&](const Lane& in) { return builder_.binary(op, in[0], in[1]); });
  }
  if (action == Action::fuse) {
    return each_lane([&](const Lane& in) { return fused(in); });
  }
  if (action == Action::minimum) {
    const Math which = row_->opcode == "min" ? Math::fmin : Math::fmax;
    return each_lane([&](const Lane& in) { return math(which, kHalf, in); });
  }
  if (row_->opcode == "neg") {
    return each_lane([&](const Lane& in) { return builder_.operation(Op::fneg, kHalf, {in[0]}); });
  }
  if (row_->opcode == "abs") {
    return each_lane([&](const Lane& in) { return math(Math::fabs, kHalf, in); });
  }
  refuse("halves are not modelled here");
}

// cvt.rn.f16x2.f32 d, a, b and cvt.rn.bf16x2.f32: a becomes the higher one.
void Emitter::convert_pair() {
  const Type single = Type::real(32);
  if (!has("rn") || has("sat") || operands() != 3 || at_->words.back() != "f32") {
    refuse("expected '.rn' and two operands of .f32");
  }
  const bool is_half = has("f16x2");
  const auto narrowed = [&](std::size_t index) {
    const ValueId a = value(index, single);
    return is_half ? builder_.convert(Op::ftrunc, a, kHalf) : brain(a);
  };
  const ValueId high = narrowed(1);
  give(operand(0), joined(builder_, narrowed(2), high));
}

// Between bfloat16 and f32.
void Emitter::convert_brain() {
  const std::string& from = at_->words.back();
  if (from == "f32") {
    if (!has("rn") || has("sat") || operands() != 2) refuse("expected '.rn'");
    return give(operand(0), brain(value(1, Type::real(32))));
  }
  if (from != "bf16" || !has("f32") || operands() != 2) {
    refuse("a conversion of bfloat16 other than from and to .f32");
  }
  const ValueId wide = builder_.resize(value(operand(1), kBits), 32, false);
  give(operand(0),
       builder_.convert(Op::bitcast, builder_.binary(Op::shl, wide, integer(kPacked, 16)),
                        Type::real(32)));
}

}  // namespace headway::kernel::ptx
