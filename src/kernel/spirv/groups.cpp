// Operations of subgroups and groups. Those of Vulkan are of the threads that come by together
// (Instruction::partial), those of OpenCL of all.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {
namespace {

std::optional<Update> reduction_of(spv::Op op) {
  switch (op) {
    case spv::Op::OpGroupNonUniformIAdd:
    case spv::Op::OpGroupIAdd:
      return Update::add;
    case spv::Op::OpGroupNonUniformFAdd:
    case spv::Op::OpGroupFAdd:
      return Update::fadd;
    case spv::Op::OpGroupNonUniformIMul:
    case spv::Op::OpGroupIMulKHR:
      return Update::mul;
    case spv::Op::OpGroupNonUniformFMul:
    case spv::Op::OpGroupFMulKHR:
      return Update::fmul;
    case spv::Op::OpGroupBitwiseAndKHR:
    case spv::Op::OpGroupLogicalAndKHR:
      return Update::bit_and;
    case spv::Op::OpGroupBitwiseOrKHR:
    case spv::Op::OpGroupLogicalOrKHR:
      return Update::bit_or;
    case spv::Op::OpGroupBitwiseXorKHR:
    case spv::Op::OpGroupLogicalXorKHR:
      return Update::bit_xor;
    case spv::Op::OpGroupNonUniformSMin:
    case spv::Op::OpGroupSMin:
      return Update::smin;
    case spv::Op::OpGroupNonUniformUMin:
    case spv::Op::OpGroupUMin:
      return Update::umin;
    case spv::Op::OpGroupNonUniformFMin:
    case spv::Op::OpGroupFMin:
      return Update::fmin;
    case spv::Op::OpGroupNonUniformSMax:
    case spv::Op::OpGroupSMax:
      return Update::smax;
    case spv::Op::OpGroupNonUniformUMax:
    case spv::Op::OpGroupUMax:
      return Update::umax;
    case spv::Op::OpGroupNonUniformFMax:
    case spv::Op::OpGroupFMax:
      return Update::fmax;
    case spv::Op::OpGroupNonUniformBitwiseAnd:
    case spv::Op::OpGroupNonUniformLogicalAnd:
      return Update::bit_and;
    case spv::Op::OpGroupNonUniformBitwiseOr:
    case spv::Op::OpGroupNonUniformLogicalOr:
      return Update::bit_or;
    case spv::Op::OpGroupNonUniformBitwiseXor:
    case spv::Op::OpGroupNonUniformLogicalXor:
      return Update::bit_xor;
    default:
      return {};
  }
}

bool is_clustered(std::uint32_t kind) {
  return static_cast<spv::GroupOperation>(kind) == spv::GroupOperation::ClusteredReduce;
}

std::optional<Subgroup> collective_of(std::uint32_t kind) {
  switch (static_cast<spv::GroupOperation>(kind)) {
    case spv::GroupOperation::Reduce:
    case spv::GroupOperation::ClusteredReduce:
      return Subgroup::reduce;
    case spv::GroupOperation::InclusiveScan:
      return Subgroup::inclusive_scan;
    case spv::GroupOperation::ExclusiveScan:
      return Subgroup::exclusive_scan;
    default:
      return {};
  }
}

}  // namespace

ValueId FunctionReader::subgroup(Subgroup operation, Type type,
                                 std::initializer_list<ValueId> operands, Update update,
                                 int cluster) {
  Instruction made;
  made.op = Op::subgroup;
  made.subgroup = operation;
  made.update = update;
  made.cluster = static_cast<std::uint8_t>(cluster);
  made.type = type;
  made.operands = operands;
  made.partial = context_.is_shader() && context_.language() != SourceLanguage::wgsl;
  made.result = builder_.forward(type);
  return builder_.emit(std::move(made));
}

// A lane that a subgroup has no room for gives nothing in particular.
ValueId FunctionReader::shuffle(Subgroup operation, ValueId value, ValueId by) {
  const Type type = builder_.type(value);
  const Type integer = Type::integer(std::max<int>(type.bits, 32));
  const ValueId bits =
      builder_.resize(values_.bitcast(value, Type::integer(type.bits)), integer.bits, false);
  const ValueId lanes = given(Builtin::subgroup_size, 0);
  by = builder_.resize(by, 32, false);
  ValueId from = by;
  if (operation == Subgroup::shuffle_xor) from = builder_.binary(Op::bit_xor, lane(), by);
  if (operation == Subgroup::shuffle_up) from = builder_.binary(Op::sub, lane(), by);
  if (operation == Subgroup::shuffle_down) from = builder_.binary(Op::add, lane(), by);
  const ValueId shuffled = subgroup(operation, integer, {bits, by, builder_.integer(32, 64)});
  const ValueId valid = builder_.binary(Op::ult, from, lanes);
  const ValueId chosen = builder_.select(valid, shuffled, builder_.undefined(integer));
  return values_.bitcast(builder_.resize(chosen, type.bits, false), type);
}

// A lane that is `by` further, from the end of its section of lanes on to the start.
ValueId FunctionReader::rotated(ValueId by, std::uint32_t section) {
  const ValueId last = builder_.integer(32, section - 1);
  const ValueId further = builder_.binary(Op::add, lane(), builder_.resize(by, 32, false));
  return builder_.binary(Op::bit_or, section_start(section),
                         builder_.binary(Op::bit_and, further, last));
}

// The first lane of the section that a thread is in.
ValueId FunctionReader::section_start(std::uint32_t section) {
  return builder_.binary(Op::bit_and, lane(), builder_.integer(32, ~(section - 1)));
}

// How many lanes form a section: a power of two, at most 64, as many as a subgroup may have.
std::uint32_t FunctionReader::section(Id id) {
  const std::uint64_t lanes = context_.known(id, "the size of a cluster");
  if (lanes == 0 || lanes > 64 || (lanes & (lanes - 1)) != 0) {
    throw Unsupported("a cluster whose size is no power of two up to 64");
  }
  return static_cast<std::uint32_t>(lanes);
}

ValueId FunctionReader::reduction(spv::Op op, std::uint32_t kind, ValueId value, int cluster) {
  const auto update = reduction_of(op);
  auto operation = collective_of(kind);
  // HLSL has WavePrefixSum and WavePrefixProduct alone, without the lane itself, whatever glslang
  // (12) writes for them.
  if (context_.is_hlsl() && operation == Subgroup::inclusive_scan) {
    operation = Subgroup::exclusive_scan;
  }
  if (!operation) throw Unsupported("an operation of a part of a subgroup (partitioned)");
  const Type type = builder_.type(value);
  if (type.bits == 1) {
    const ValueId wide = builder_.resize(value, 32, false);
    const ValueId result = subgroup(*operation, Type::integer(32), {wide}, *update, cluster);
    return builder_.resize(result, 1, false);
  }
  return subgroup(*operation, type, {value}, *update, cluster);
}

// Of what a ballot gave: its 64 bits that can be 1.
ValueId FunctionReader::ballot_bits(const Parts& ballot) {
  const ValueId high =
      builder_.binary(Op::shl, builder_.resize(ballot[1], 64, false), builder_.integer(64, 32));
  return builder_.binary(Op::bit_or, builder_.resize(ballot[0], 64, false), high);
}

Parts FunctionReader::ballot_count(std::uint32_t kind, const Parts& ballot, Type type) {
  ValueId bits = builder_.binary(Op::bit_and, ballot_bits(ballot), valid_lanes());
  const ValueId ones = builder_.integer(64, ~std::uint64_t{0});
  const ValueId from_here = builder_.binary(Op::shl, ones, builder_.resize(lane(), 64, false));
  switch (static_cast<spv::GroupOperation>(kind)) {
    case spv::GroupOperation::Reduce:
      break;
    case spv::GroupOperation::InclusiveScan:
      bits = builder_.binary(
          Op::bit_and, bits,
          builder_.binary(Op::bit_xor, builder_.binary(Op::shl, from_here, builder_.integer(64, 1)),
                          ones));
      break;
    case spv::GroupOperation::ExclusiveScan:
      bits = builder_.binary(Op::bit_and, bits, builder_.binary(Op::bit_xor, from_here, ones));
      break;
    default:
      throw Unsupported("a count that is no reduction or scan");
  }
  const ValueId count = values_.math(Math::popcount, Type::integer(64), {bits});
  return {builder_.resize(count, type.bits, false)};
}

// Of a whole workgroup: all of it has to come, and no memory is ordered.
bool FunctionReader::read_workgroup(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  Instruction made;
  made.op = Op::barrier_reduce;
  made.scope = Scope::workgroup;
  made.order = Order::acquire_release;
  made.memory = 0;
  Id value = of[1];
  std::vector<ValueId> more;
  if (op == spv::Op::OpGroupAll || op == spv::Op::OpGroupAny) {
    made.subgroup = op == spv::Op::OpGroupAll ? Subgroup::all : Subgroup::any;
  } else if (op == spv::Op::OpGroupBroadcast) {
    made.subgroup = Subgroup::shuffle;
    // The number of the thread whose ids are given.
    const Parts ids = parts(of[2]);
    ValueId number = builder_.integer(64, 0);
    for (std::size_t i = ids.size(); i-- > 0;) {
      const ValueId size =
          builder_.resize(given(Builtin::group_size, static_cast<int>(i)), 64, false);
      number = builder_.binary(Op::add, builder_.binary(Op::mul, number, size),
                               builder_.resize(ids[i], 64, false));
    }
    more = {number};
  } else {
    const auto update = reduction_of(op);
    const auto operation = collective_of(of[1]);
    if (!update || !operation || is_clustered(of[1])) return false;
    made.update = *update;
    made.subgroup = *operation;
    value = of[2];
  }
  Parts all;
  for (const ValueId part : parts(value)) {
    Instruction one = made;
    one.type = builder_.type(part);
    one.operands = {part};
    one.operands.insert(one.operands.end(), more.begin(), more.end());
    one.result = builder_.forward(one.type);
    all.push_back(builder_.emit(std::move(one)));
  }
  give(instruction, std::move(all));
  return true;
}

bool FunctionReader::read_group(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  const bool is_group = op == spv::Op::OpGroupAll || op == spv::Op::OpGroupAny ||
                        op == spv::Op::OpGroupBroadcast ||
                        (op >= spv::Op::OpGroupIAdd && op <= spv::Op::OpGroupSMax) ||
                        (op >= spv::Op::OpGroupIMulKHR && op <= spv::Op::OpGroupLogicalXorKHR);
  const bool is_non_uniform =
      (op >= spv::Op::OpGroupNonUniformElect && op <= spv::Op::OpGroupNonUniformQuadSwap) ||
      op == spv::Op::OpGroupNonUniformRotateKHR;
  // Those of the extensions before SPIR-V 1.3 have no scope.
  std::size_t first = 1;
  switch (op) {
    case spv::Op::OpSubgroupBallotKHR:
    case spv::Op::OpSubgroupFirstInvocationKHR:
    case spv::Op::OpSubgroupAllKHR:
    case spv::Op::OpSubgroupAnyKHR:
    case spv::Op::OpSubgroupAllEqualKHR:
    case spv::Op::OpSubgroupReadInvocationKHR:
      first = 0;
      break;
    default:
      if (!is_group && !is_non_uniform) return false;
  }
  if (first == 1) {
    const Scope scope = scope_of(of[0]);
    if (scope == Scope::workgroup && is_group) return read_workgroup(instruction);
    if (scope != Scope::subgroup) return false;
  }
  const Type boolean = Type::integer(1);
  const auto each = [&](const Parts& from, const auto& make) {
    Parts all;
    for (const ValueId part : from) all.push_back(make(part));
    give(instruction, std::move(all));
    return true;
  };
  switch (op) {
    case spv::Op::OpGroupNonUniformElect:
      give(instruction, {subgroup(Subgroup::elect, boolean, {})});
      return true;
    case spv::Op::OpGroupNonUniformAll:
    case spv::Op::OpGroupAll:
    case spv::Op::OpSubgroupAllKHR:
      give(instruction, {subgroup(Subgroup::all, boolean, {single(of[first])})});
      return true;
    case spv::Op::OpGroupNonUniformAny:
    case spv::Op::OpGroupAny:
    case spv::Op::OpSubgroupAnyKHR:
      give(instruction, {subgroup(Subgroup::any, boolean, {single(of[first])})});
      return true;
    case spv::Op::OpGroupNonUniformAllEqual:
    case spv::Op::OpSubgroupAllEqualKHR: {
      ValueId whole = builder_.integer(1, 1);
      for (const ValueId part : parts(of[first])) {
        if (builder_.type(part).is_real()) return false;  // bits that differ may be equal
        whole = builder_.binary(Op::bit_and, whole, subgroup(Subgroup::all_equal, boolean, {part}));
      }
      give(instruction, {whole});
      return true;
    }
    case spv::Op::OpGroupNonUniformBroadcast:
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpSubgroupReadInvocationKHR:
    case spv::Op::OpGroupBroadcast: {
      const Parts by = parts(of[first + 1]);
      if (by.size() != 1) return false;
      // SPIR-V leaves the behaviour open where threads name different ones.
      const bool may_differ = op == spv::Op::OpGroupNonUniformBroadcast && context_.is_shader() &&
                              context_.language() == SourceLanguage::any && !builder_.known(by[0]);
      const ValueId is_same = may_differ ? subgroup(Subgroup::all_equal, boolean, {by[0]}) : kNone;
      return each(parts(of[first]), [&](ValueId part) {
        const ValueId value = shuffle(Subgroup::shuffle, part, by[0]);
        if (!may_differ) return value;
        const ValueId any =
            values_.opaque_of(builder_.type(part), {part, by[0]}, static_cast<std::uint32_t>(op));
        return builder_.select(is_same, value, any);
      });
    }
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown: {
      const Subgroup which = op == spv::Op::OpGroupNonUniformShuffleXor  ? Subgroup::shuffle_xor
                             : op == spv::Op::OpGroupNonUniformShuffleUp ? Subgroup::shuffle_up
                                                                         : Subgroup::shuffle_down;
      const ValueId by = single(of[2]);
      return each(parts(of[1]), [&](ValueId part) { return shuffle(which, part, by); });
    }
    case spv::Op::OpGroupNonUniformRotateKHR: {
      // Without a cluster it goes round the subgroup, whose size may be no constant.
      const ValueId by = single(of[2]);
      if (of.size() < 4) return false;
      const ValueId from = rotated(by, section(of[3]));
      return each(parts(of[1]),
                  [&](ValueId part) { return shuffle(Subgroup::shuffle, part, from); });
    }
    case spv::Op::OpGroupNonUniformQuadBroadcast: {  // a quad is four lanes in a row
      const ValueId from =
          builder_.binary(Op::add, section_start(4), builder_.resize(single(of[2]), 32, false));
      return each(parts(of[1]),
                  [&](ValueId part) { return shuffle(Subgroup::shuffle, part, from); });
    }
    case spv::Op::OpGroupNonUniformQuadSwap: {
      const ValueId with = builder_.integer(32, context_.known(of[2], "a direction") + 1);
      return each(parts(of[1]),
                  [&](ValueId part) { return shuffle(Subgroup::shuffle_xor, part, with); });
    }
    case spv::Op::OpGroupNonUniformBroadcastFirst:
    case spv::Op::OpSubgroupFirstInvocationKHR:
      return each(parts(of[first]), [&](ValueId part) {
        return subgroup(Subgroup::broadcast_first, builder_.type(part), {part});
      });
    case spv::Op::OpGroupNonUniformBallot:
    case spv::Op::OpSubgroupBallotKHR:
      give(instruction,
           mask_of(subgroup(Subgroup::ballot, Type::integer(64), {single(of[first])}), 4));
      return true;
    case spv::Op::OpGroupNonUniformInverseBallot:
    case spv::Op::OpGroupNonUniformBallotBitExtract: {
      const ValueId at = op == spv::Op::OpGroupNonUniformInverseBallot ? lane() : single(of[2]);
      const ValueId wide = builder_.resize(at, 64, false);
      // Lanes beyond 64 there are none of.
      const ValueId place = builder_.binary(Op::bit_and, wide, builder_.integer(64, 63));
      const ValueId there = builder_.binary(Op::lshr, ballot_bits(parts(of[1])), place);
      give(instruction, {builder_.resize(there, 1, false)});
      return true;
    }
    case spv::Op::OpGroupNonUniformBallotBitCount:
      give(instruction, ballot_count(of[1], parts(of[2]), context_.scalar(instruction.type)));
      return true;
    case spv::Op::OpGroupNonUniformBallotFindLSB:
    case spv::Op::OpGroupNonUniformBallotFindMSB: {
      const Type wide = Type::integer(64);
      const ValueId bits = builder_.binary(Op::bit_and, ballot_bits(parts(of[1])), valid_lanes());
      const bool lowest = op == spv::Op::OpGroupNonUniformBallotFindLSB;
      ValueId at = values_.math(lowest ? Math::trailing_zeros : Math::leading_zeros, wide, {bits});
      if (!lowest) at = builder_.binary(Op::sub, builder_.integer(64, 63), at);
      give(instruction, {builder_.resize(at, context_.scalar(instruction.type).bits, false)});
      return true;
    }
    default: {
      if (!reduction_of(op)) return false;
      const int cluster = is_clustered(of[1]) ? static_cast<int>(section(of[3])) : 0;
      return each(parts(of[2]), [&](ValueId part) { return reduction(op, of[1], part, cluster); });
    }
  }
}

}  // namespace headway::kernel::spirv
