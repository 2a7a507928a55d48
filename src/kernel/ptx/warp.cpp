// What threads of a warp do together.
#include <fmt/format.h>

#include <bit>
#include <utility>

#include "kernel/ir/premises.hpp"
#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr Type kWord = Type::integer(32);
constexpr Type kBit = Type::integer(1);

}  // namespace

// Operands are those of the operation, and the mask at its place.
Instruction Emitter::subgroup(Subgroup operation, Type type,
                              std::initializer_list<ValueId> operands, std::size_t mask_at) {
  touches_memory_ = true;
  Instruction made;
  made.op = Op::subgroup;
  made.subgroup = operation;
  made.type = type;
  made.operands = operands;
  made.operands.push_back(builder_.resize(value(mask_at, kWord), 64, false));
  return made;
}

// shfl d|p, value, lane or distance, c, mask. c has the highest lane that there is in its low bits,
// for .up the lowest one, and above them which bits of the lane name a section.
void Emitter::shuffle() {
  const auto packed = known(3, kWord);
  const std::uint64_t width = 32 - (packed.value_or(0) >> 8 & 31);
  const bool is_section = packed && (*packed & ~std::uint64_t{0x1f1f}) == 0 &&
                          (*packed & 31) == (has("up") ? 0U : 31U) && std::has_single_bit(width);
  const bool wants_there = operand(0).kind == Operand::Kind::pair;
  if (!is_section || (wants_there && has("bfly") && width != 32)) return shuffle_within();
  const ValueId lanes = builder_.builtin(Builtin::subgroup_size);
  const ValueId section = width == 32 ? lanes : builder_.integer(32, width);
  const ValueId from = value(1, kWord);
  const ValueId by = builder_.binary(Op::urem, value(2, kWord), lanes);
  const Subgroup way = has("idx")    ? Subgroup::shuffle
                       : has("up")   ? Subgroup::shuffle_up
                       : has("down") ? Subgroup::shuffle_down
                                     : Subgroup::shuffle_xor;
  const ValueId result = emit(subgroup(way, kWord, {from, by, section}, 4));
  if (!wants_there) return give(operand(0), result);
  give(operand(0).parts[0], result);
  const ValueId own = builder_.binary(Op::urem, builder_.builtin(Builtin::lane), section);
  ValueId is_there = builder_.integer(1, 1);
  if (has("up")) is_there = builder_.binary(Op::uge, own, by);
  if (has("down")) {
    is_there = builder_.binary(Op::ult, builder_.binary(Op::add, own, by), section);
  }
  give(operand(0).parts[1], is_there);
}

// The same for all bounds, as PTX ISA has it ("shfl.sync"): which lane it is, and whether it is
// there; if not, a lane keeps what it has.
void Emitter::shuffle_within() {
  const auto number = [&](std::uint64_t of) { return builder_.integer(32, of); };
  const auto both = [&](ValueId a, ValueId b) { return builder_.binary(Op::bit_and, a, b); };
  const ValueId own = builder_.builtin(Builtin::lane);
  const ValueId bounds = value(3, kWord);
  const ValueId by = both(value(2, kWord), number(31));
  const ValueId section = both(builder_.binary(Op::lshr, bounds, number(8)), number(31));
  const ValueId within = builder_.binary(Op::bit_xor, section, number(31));
  const ValueId first = both(own, section);
  const ValueId last = builder_.binary(Op::bit_or, first, both(bounds, within));
  const Op way = has("up") ? Op::sub : has("down") ? Op::add : Op::bit_xor;
  const ValueId other = has("idx") ? builder_.binary(Op::bit_or, first, both(by, within))
                                   : builder_.binary(way, own, by);
  const ValueId is_there = builder_.binary(has("up") ? Op::sge : Op::sle, other, last);
  const ValueId from = builder_.select(is_there, other, own);
  const ValueId result =
      emit(subgroup(Subgroup::shuffle, kWord,
                    {value(1, kWord), from, builder_.builtin(Builtin::subgroup_size)}, 4));
  const bool is_pair = operand(0).kind == Operand::Kind::pair;
  give(is_pair ? operand(0).parts[0] : operand(0), result);
  if (is_pair) give(operand(0).parts[1], is_there);
}

void Emitter::vote() {
  if (has("ballot") != has("b32"))
    refuse("expected .ballot.b32, .all.pred, .any.pred or .uni.pred");
  const ValueId own = value(1, kBit);
  if (has("ballot")) {
    const ValueId all = emit(subgroup(Subgroup::ballot, Type::integer(64), {own}, 2));
    return give(operand(0), builder_.resize(all, 32, false));
  }
  if (has("uni")) {
    const ValueId word = builder_.resize(own, 32, false);
    return give(operand(0), emit(subgroup(Subgroup::all_equal, kBit, {word}, 2)));
  }
  give(operand(0), emit(subgroup(has("all") ? Subgroup::all : Subgroup::any, kBit, {own}, 2)));
}

void Emitter::match() {
  const ValueId own = value(1, type().type);
  if (row_->opcode == "match.any.sync") {
    const ValueId all = emit(subgroup(Subgroup::match_any, Type::integer(64), {own}, 2));
    return give(operand(0), builder_.resize(all, 32, false));
  }
  const ValueId equal = emit(subgroup(Subgroup::all_equal, kBit, {own}, 2));
  const bool is_pair = operand(0).kind == Operand::Kind::pair;
  give(is_pair ? operand(0).parts[0] : operand(0),
       builder_.select(equal, value(2, kWord), builder_.integer(32, 0)));
  if (is_pair) give(operand(0).parts[1], equal);
}

// Which lane it is that is elected, and whether it is this one. PTX says only that it is the same
// one each time.
void Emitter::elect() {
  add_premise(builder_.function(), "elect.sync elects the lowest lane of its mask");
  if (operand(0).kind != Operand::Kind::pair) refuse("expected 'lane|elected' in front");
  const ValueId elected = emit(subgroup(Subgroup::elect, kBit, {}, 1));
  give(operand(0).parts[1], elected);
  if (operand(0).parts[0].kind == Operand::Kind::sink) return;
  const Type wide = Type::integer(64);
  const ValueId all = emit(subgroup(Subgroup::ballot, wide, {elected}, 1));
  const ValueId lane = math(Math::trailing_zeros, wide, {all});
  give(operand(0).parts[0], builder_.resize(lane, 32, false));
}

void Emitter::reduce() {
  const bool is_signed = type().is_signed;
  const bool is_of_bits = has("and") || has("or") || has("xor");
  if (is_of_bits != has("b32")) refuse("expected .b32 for .and, .or and .xor, .u32 or .s32 else");
  Instruction made = subgroup(Subgroup::reduce, kWord, {value(1, kWord)}, 2);
  made.update = has("add")   ? Update::add
                : has("min") ? (is_signed ? Update::smin : Update::umin)
                : has("max") ? (is_signed ? Update::smax : Update::umax)
                : has("and") ? Update::bit_and
                : has("or")  ? Update::bit_or
                             : Update::bit_xor;
  give(operand(0), emit(std::move(made)));
}

void Emitter::active_mask() {
  const ValueId all = builder_.builtin(Builtin::active_mask, 0, Type::integer(64));
  give(operand(0), builder_.resize(all, 32, false));
}

}  // namespace headway::kernel::ptx
