// Of OpenCL: images, texel by texel, and copies that go on beside the threads. As in what headway's
// own header has for OpenCL C (images.h), an image is an address, a sampler is a number that nobody
// looks at, and what is read from an image may be anything.
#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/ir/premises.hpp"
#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {
namespace {

// The most texels a side, in one or two dimensions and in three (kImages), and their bytes.
constexpr std::uint64_t kSide = 16384;
constexpr std::uint64_t kSideOfThree = 2048;
constexpr std::uint64_t kTexel = 16;

}  // namespace

// Where the texel with these coordinates is.
ValueId FunctionReader::texel(ValueId image, const Parts& coordinates) {
  if (coordinates.empty() || !builder_.type(coordinates.front()).is_integer()) {
    throw Unsupported("an image that is accessed by coordinates that are no integers");
  }
  add_premise(builder_.function(), kImages);
  const auto side = builder_.integer(64, coordinates.size() > 2 ? kSideOfThree : kSide);
  const std::size_t dimensions = std::min<std::size_t>(coordinates.size(), 3);
  ValueId index = builder_.integer(64, 0);
  for (std::size_t d = dimensions; d-- > 0;) {
    index = builder_.binary(Op::add, builder_.binary(Op::mul, index, side),
                            builder_.resize(coordinates[d], 64, false));
  }
  return builder_.offset(image, builder_.binary(Op::mul, index, builder_.integer(64, kTexel)));
}

void FunctionReader::access_texel(ValueId address, std::size_t part, Type type,
                                  std::optional<ValueId> value) {
  Instruction made;
  made.op = value ? Op::store : Op::load;
  made.type = type;
  made.operands = {builder_.offset(address, static_cast<std::int64_t>(4 * part))};
  if (value) made.operands.push_back(*value);
  made.scope = Scope::system;
  made.is_further_part = value && part > 0;
  if (!value) made.result = builder_.forward(type);
  builder_.emit(std::move(made));
}

bool FunctionReader::read_image(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpSampledImage:
    case spv::Op::OpImage:
      give(instruction, parts(of[0]));
      return true;
    case spv::Op::OpImageRead: {
      const ValueId address = texel(single(of[0]), parts(of[1]));
      Parts all;
      const std::vector<Type> types = context_.types(instruction.type);
      for (std::size_t i = 0; i < types.size(); ++i) {
        access_texel(address, i, types[i], std::nullopt);
        all.push_back(builder_.operation(Op::unknown, types[i], {}));
      }
      give(instruction, std::move(all));
      return true;
    }
    case spv::Op::OpImageWrite: {
      const ValueId address = texel(single(of[0]), parts(of[1]));
      const Parts values = parts(of[2]);
      for (std::size_t i = 0; i < values.size(); ++i) {
        access_texel(address, i, builder_.type(values[i]), values[i]);
      }
      return true;
    }
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQuerySizeLod: {
      Parts all;
      for (const Type& type : context_.types(instruction.type)) {
        const ValueId size = builder_.operation(Op::unknown, type, {});
        const ValueId fits = builder_.binary(Op::ule, size, builder_.integer(type.bits, kSide));
        Instruction claim;
        claim.op = Op::claim;
        claim.claim = Claim::assumption;
        claim.operands = {fits};
        builder_.emit(std::move(claim));
        all.push_back(size);
      }
      give(instruction, std::move(all));
      return true;
    }
    case spv::Op::OpImageQueryFormat:
    case spv::Op::OpImageQueryOrder:
    case spv::Op::OpImageQueryLevels:
    case spv::Op::OpImageQuerySamples:
      give(instruction, {builder_.operation(Op::unknown, context_.scalar(instruction.type), {})});
      return true;
    default:
      return false;
  }
}

// OpGroupAsyncCopy and OpGroupWaitEvents, of a workgroup.
bool FunctionReader::read_copies(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  if (op != spv::Op::OpGroupAsyncCopy && op != spv::Op::OpGroupWaitEvents) return false;
  if (scope_of(of[0]) != Scope::workgroup) {
    throw Unsupported("a copy of another group than the workgroup");
  }
  Instruction made;
  if (op == spv::Op::OpGroupWaitEvents) {
    made.op = Op::wait_events;
    made.operands = {builder_.resize(single(of[1]), 32, false), single(of[2])};
    builder_.emit(std::move(made));
    return true;
  }
  const Pointer to = pointer(of[1]);
  const Pointer from = pointer(of[2]);
  const ValueId stride = builder_.resize(single(of[4]), 64, false);
  made.op = Op::async_copy;
  made.type = Type::integer(64);
  made.operands = {single(of[1]), single(of[2]), builder_.resize(single(of[3]), 64, false), stride,
                   single(of[5])};
  made.bytes = context_.bytes(to.type);
  // The stride is of the side that is global memory.
  const bool reads_global = from.storage == spv::StorageClass::CrossWorkgroup;
  const bool writes_global = to.storage == spv::StorageClass::CrossWorkgroup;
  if (reads_global == writes_global) {
    throw Unsupported("a copy that is not between global and local memory");
  }
  made.kind = static_cast<std::uint8_t>(builder_.known(stride) == 1U ? 0 : reads_global ? 1 : 2);
  made.result = builder_.forward(made.type);
  give(instruction, {builder_.emit(std::move(made))});
  return true;
}

}  // namespace headway::kernel::spirv
