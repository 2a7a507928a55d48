#include "kernel/spirv/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel::spirv {
namespace {

using SpvOp = spv::Op;

// Capabilities that ask for nothing which the reader would not see in an instruction, and refuse
// there if it does not know it.
bool is_known_capability(spv::Capability capability) {
  static const std::set<spv::Capability> known = {
      spv::Capability::Matrix,
      spv::Capability::Shader,
      spv::Capability::Addresses,
      spv::Capability::Linkage,
      spv::Capability::Kernel,
      spv::Capability::Vector16,
      spv::Capability::Float16Buffer,
      spv::Capability::Float16,
      spv::Capability::Float64,
      spv::Capability::Int64,
      spv::Capability::Int64Atomics,
      spv::Capability::Int16,
      spv::Capability::Int8,
      spv::Capability::Groups,
      spv::Capability::GenericPointer,
      spv::Capability::ImageBasic,
      spv::Capability::ImageReadWrite,
      spv::Capability::LiteralSampler,
      spv::Capability::ImageQuery,
      spv::Capability::Sampled1D,
      spv::Capability::Image1D,
      spv::Capability::SampledBuffer,
      spv::Capability::SampledCubeArray,
      spv::Capability::ImageCubeArray,
      spv::Capability::ImageMSArray,
      spv::Capability::ImageBuffer,
      spv::Capability::StorageImageExtendedFormats,
      spv::Capability::StorageImageReadWithoutFormat,
      spv::Capability::StorageImageWriteWithoutFormat,
      spv::Capability::UniformBufferArrayDynamicIndexing,
      spv::Capability::SampledImageArrayDynamicIndexing,
      spv::Capability::StorageBufferArrayDynamicIndexing,
      spv::Capability::StorageImageArrayDynamicIndexing,
      spv::Capability::ShaderNonUniform,
      spv::Capability::RuntimeDescriptorArray,
      spv::Capability::StorageBufferArrayNonUniformIndexing,
      spv::Capability::StorageBuffer16BitAccess,
      spv::Capability::UniformAndStorageBuffer16BitAccess,
      spv::Capability::StoragePushConstant16,
      spv::Capability::StorageInputOutput16,
      spv::Capability::StorageBuffer8BitAccess,
      spv::Capability::UniformAndStorageBuffer8BitAccess,
      spv::Capability::StoragePushConstant8,
      spv::Capability::VariablePointers,
      spv::Capability::VariablePointersStorageBuffer,
      spv::Capability::VulkanMemoryModel,
      spv::Capability::VulkanMemoryModelDeviceScope,
      spv::Capability::SubgroupDispatch,
      spv::Capability::NamedBarrier,
      spv::Capability::GroupNonUniform,
      spv::Capability::GroupNonUniformVote,
      spv::Capability::GroupNonUniformArithmetic,
      spv::Capability::GroupNonUniformBallot,
      spv::Capability::GroupNonUniformShuffle,
      spv::Capability::GroupNonUniformShuffleRelative,
      spv::Capability::GroupNonUniformClustered,
      spv::Capability::GroupNonUniformQuad,
      spv::Capability::GroupNonUniformRotateKHR,
      spv::Capability::BitInstructions,
      spv::Capability::DotProduct,
      spv::Capability::DotProductInputAll,
      spv::Capability::DotProductInput4x8Bit,
      spv::Capability::DotProductInput4x8BitPacked,
      spv::Capability::SubgroupBallotKHR,
      spv::Capability::SubgroupVoteKHR,
      spv::Capability::DeviceGroup,
      spv::Capability::DenormPreserve,
      spv::Capability::DenormFlushToZero,
      spv::Capability::SignedZeroInfNanPreserve,
      spv::Capability::RoundingModeRTE,
      spv::Capability::RoundingModeRTZ,
      spv::Capability::WorkgroupMemoryExplicitLayoutKHR,
      spv::Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
      spv::Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
      spv::Capability::AtomicFloat32AddEXT,
      spv::Capability::AtomicFloat64AddEXT,
      spv::Capability::AtomicFloat16AddEXT,
      spv::Capability::AtomicFloat32MinMaxEXT,
      spv::Capability::AtomicFloat64MinMaxEXT,
      spv::Capability::AtomicFloat16MinMaxEXT,
      spv::Capability::ExpectAssumeKHR,
      spv::Capability::GenericPointer,
      spv::Capability::PhysicalStorageBufferAddresses,
  };
  return known.contains(capability);
}

bool is_known_extension(const std::string& name) {
  static const std::set<std::string> known = {"SPV_KHR_storage_buffer_storage_class",
                                              "SPV_KHR_variable_pointers",
                                              "SPV_KHR_16bit_storage",
                                              "SPV_KHR_8bit_storage",
                                              "SPV_KHR_vulkan_memory_model",
                                              "SPV_KHR_non_semantic_info",
                                              "SPV_KHR_shader_ballot",
                                              "SPV_KHR_subgroup_vote",
                                              "SPV_KHR_float_controls",
                                              "SPV_KHR_device_group",
                                              "SPV_KHR_workgroup_memory_explicit_layout",
                                              "SPV_KHR_expect_assume",
                                              "SPV_KHR_terminate_invocation",
                                              "SPV_KHR_no_integer_wrap_decoration",
                                              "SPV_KHR_subgroup_uniform_control_flow",
                                              "SPV_KHR_subgroup_rotate",
                                              "SPV_KHR_maximal_reconvergence",
                                              "SPV_KHR_bit_instructions",
                                              "SPV_KHR_integer_dot_product",
                                              "SPV_KHR_linkonce_odr",
                                              "SPV_KHR_physical_storage_buffer",
                                              "SPV_EXT_physical_storage_buffer",
                                              "SPV_EXT_shader_atomic_float_add",
                                              "SPV_EXT_shader_atomic_float_min_max",
                                              "SPV_EXT_shader_atomic_float16_add",
                                              "SPV_EXT_descriptor_indexing",
                                              "SPV_GOOGLE_decorate_string",
                                              "SPV_GOOGLE_hlsl_functionality1",
                                              "SPV_GOOGLE_user_type"};
  return known.contains(name);
}

std::uint64_t rounded_up(std::uint64_t value, int alignment) {
  const auto unit = static_cast<std::uint64_t>(alignment);
  return (value + unit - 1) / unit * unit;
}

constexpr int kMaxDepth = 64;

}  // namespace

Context::Context(Words words, Module& module, const Specialization& specialization,
                 SourceLanguage language)
    : words_(std::move(words)),
      module_(module),
      specialization_(specialization),
      language_(language) {
  read_annotations();
}

bool Context::has_apart_components() const {
  // naga says GLSL of what was WGSL.
  return is_of_glsl_ && language_ != SourceLanguage::wgsl && !words_.clamps_indices;
}

void Context::read_annotations() {
  for (std::uint32_t i = 0; i < words_.instructions.size(); ++i) {
    const RawInstruction& instruction = words_.instructions[i];
    const auto of = words_.operands(instruction);
    if (instruction.result != 0) definitions_[instruction.result] = i;
    switch (static_cast<SpvOp>(instruction.op)) {
      case SpvOp::OpName:
        names_[of[0]] = literal(of.subspan(1));
        break;
      case SpvOp::OpMemberName:
        member_names_[{of[0], of[1]}] = literal(of.subspan(2));
        break;
      case SpvOp::OpDecorate:
        decorations_[{of[0], static_cast<spv::Decoration>(of[1])}] = of.size() > 2 ? of[2] : 0;
        break;
      case SpvOp::OpMemberDecorate:
        member_decorations_[{of[0], of[1], static_cast<spv::Decoration>(of[2])}] =
            of.size() > 3 ? of[3] : 0;
        break;
      case SpvOp::OpGroupDecorate:  // behind the decorations of the group
        for (const Id target : of.subspan(1)) {
          for (const auto& [key, operand] : decorations_of(of[0])) {
            decorations_[{target, key}] = operand;
          }
        }
        break;
      case SpvOp::OpGroupMemberDecorate:
        for (std::size_t at = 1; at + 1 < of.size(); at += 2) {
          for (const auto& [key, operand] : decorations_of(of[0])) {
            member_decorations_[{of[at], of[at + 1], key}] = operand;
          }
        }
        break;
      case SpvOp::OpSource: {
        const auto from = static_cast<spv::SourceLanguage>(of[0]);
        is_of_glsl_ = from == spv::SourceLanguage::GLSL || from == spv::SourceLanguage::HLSL;
        break;
      }
      case SpvOp::OpMemoryModel:
        memory_model_ = static_cast<spv::MemoryModel>(of[1]);
        has_short_pointers_ = of[0] == static_cast<std::uint32_t>(spv::AddressingModel::Physical32);
        break;
      case SpvOp::OpCapability:
        read_capability(instruction);
        break;
      case SpvOp::OpExtension:
        if (foreign_.empty() && !is_known_extension(literal(of))) {
          foreign_ = "the extension " + literal(of);
        }
        break;
      default:
        break;
    }
  }
}

std::vector<std::pair<spv::Decoration, std::uint32_t>> Context::decorations_of(Id id) const {
  std::vector<std::pair<spv::Decoration, std::uint32_t>> result;
  for (auto at = decorations_.lower_bound({id, spv::Decoration{}});
       at != decorations_.end() && at->first.first == id; ++at) {
    result.emplace_back(at->first.second, at->second);
  }
  return result;
}

void Context::read_capability(const RawInstruction& instruction) {
  const auto which = static_cast<spv::Capability>(words_.operands(instruction)[0]);
  if (which == spv::Capability::Shader) is_shader_ = true;
  if (!foreign_.empty() || is_known_capability(which)) return;
  const std::string text = text_of(words_, instruction);
  foreign_ = "the capability " + text.substr(text.rfind(' ') + 1);
}

const RawInstruction& Context::definition(Id id) const {
  const auto found = definitions_.find(id);
  if (found == definitions_.end()) throw Unsupported(fmt::format("%{}, which is nowhere", id));
  return words_.instructions[found->second];
}

std::string Context::name(Id id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string() : found->second;
}

std::string Context::member_name(Id type, std::uint32_t member) const {
  const auto found = member_names_.find({type, member});
  return found == member_names_.end() || found->second.empty() ? fmt::format("{}", member)
                                                               : found->second;
}

std::optional<std::uint32_t> Context::decoration(Id id, spv::Decoration which) const {
  const auto found = decorations_.find({id, which});
  if (found == decorations_.end()) return {};
  return found->second;
}

std::optional<std::uint32_t> Context::decoration(Id type, std::uint32_t member,
                                                 spv::Decoration which) const {
  const auto found = member_decorations_.find({type, member, which});
  if (found == member_decorations_.end()) return {};
  return found->second;
}

// ---- Types

bool Context::is_scalar(Id type) const {
  switch (op(type)) {
    case SpvOp::OpTypeBool:
    case SpvOp::OpTypeInt:
    case SpvOp::OpTypeFloat:
    case SpvOp::OpTypePointer:
    case SpvOp::OpTypeImage:
    case SpvOp::OpTypeSampledImage:
    case SpvOp::OpTypeSampler:
    case SpvOp::OpTypeEvent:
      return true;
    default:
      return false;
  }
}

Type Context::scalar(Id type) const {
  switch (op(type)) {
    case SpvOp::OpTypeBool:
      return Type::integer(1);
    case SpvOp::OpTypeInt:
    case SpvOp::OpTypeFloat: {
      const auto bits = static_cast<int>(operands(type)[0]);
      if (op(type) == SpvOp::OpTypeInt) {
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
          throw Unsupported(fmt::format("integers of {} bits", bits));
        }
        return Type::integer(bits);
      }
      if (bits != 16 && bits != 32 && bits != 64) {
        throw Unsupported(fmt::format("reals of {} bits", bits));
      }
      return Type::real(bits);
    }
    case SpvOp::OpTypePointer:
      return Type::pointer();
    // Of OpenCL (images.cpp); in shaders none of these is a value.
    case SpvOp::OpTypeImage:
    case SpvOp::OpTypeSampledImage:
      if (!is_shader_) return Type::pointer();
      break;
    case SpvOp::OpTypeSampler:
      if (!is_shader_) return Type::integer(32);
      break;
    case SpvOp::OpTypeEvent:
      return Type::integer(64);
    default:
      break;
  }
  throw Unsupported("the type " + text_of(words_, definition(type)));
}

std::uint64_t Context::length(Id type) {
  switch (op(type)) {
    case SpvOp::OpTypeVector:
    case SpvOp::OpTypeMatrix:
      return operands(type)[1];
    case SpvOp::OpTypeArray:
      return known(operands(type)[1], "the length of an array");
    case SpvOp::OpTypeStruct:
      return operands(type).size();
    default:
      return 0;
  }
}

Id Context::part(Id type, std::uint64_t index) const {
  const auto of = operands(type);
  switch (op(type)) {
    case SpvOp::OpTypeVector:
    case SpvOp::OpTypeMatrix:
    case SpvOp::OpTypeArray:
    case SpvOp::OpTypeRuntimeArray:
      return of[0];
    case SpvOp::OpTypeStruct:
      if (index < of.size()) return of[index];
      break;
    default:
      break;
  }
  throw Unsupported("a part of something that has no such part");
}

std::uint64_t Context::stride(Id type, const Layout& layout) {
  const Id element = operands(type)[0];
  switch (op(type)) {
    case SpvOp::OpTypeVector:
      return layout.component_stride > 0 ? layout.component_stride : bytes(element);
    case SpvOp::OpTypeMatrix:
      if (layout.row_major) return bytes(operands(element)[0]);
      return layout.matrix_stride > 0 ? layout.matrix_stride : bytes(element);
    default:
      break;
  }
  if (const auto given = decoration(type, spv::Decoration::ArrayStride); given && *given > 0) {
    return *given;
  }
  return rounded_up(bytes(element, layout), alignment(element));
}

std::uint64_t Context::part_at(Id type, std::uint64_t index, const Layout& layout) {
  if (op(type) != SpvOp::OpTypeStruct) return index * stride(type, layout);
  const auto member = static_cast<std::uint32_t>(index);
  if (const auto given = decoration(type, member, spv::Decoration::Offset)) return *given;
  const bool packed = decoration(type, spv::Decoration::CPacked).has_value();
  std::uint64_t at = 0;
  for (std::uint32_t m = 0; m <= member; ++m) {
    const Id of = part(type, m);
    if (!packed) at = rounded_up(at, alignment(of));
    if (m < member) at += bytes(of, part_layout(type, m, layout));
  }
  return at;
}

Layout Context::part_layout(Id type, std::uint64_t index, const Layout& layout) const {
  Layout result = layout;
  result.component_stride = 0;
  if (op(type) == SpvOp::OpTypeStruct) {
    const auto member = static_cast<std::uint32_t>(index);
    result.matrix_stride = decoration(type, member, spv::Decoration::MatrixStride).value_or(0);
    result.row_major = decoration(type, member, spv::Decoration::RowMajor).has_value();
  } else if (op(type) == SpvOp::OpTypeMatrix && layout.row_major) {
    result.component_stride = layout.matrix_stride;
  }
  return result;
}

int Context::alignment(Id type) {
  switch (op(type)) {
    case SpvOp::OpTypeVector: {
      const auto count = operands(type)[1];
      const int one = alignment(operands(type)[0]);
      // As OpenCL has it; where Vulkan lays something out, it says how.
      return is_shader_ ? one : one * static_cast<int>(count == 3 ? 4 : count);
    }
    case SpvOp::OpTypeMatrix:
    case SpvOp::OpTypeArray:
    case SpvOp::OpTypeRuntimeArray:
      return alignment(operands(type)[0]);
    case SpvOp::OpTypeStruct: {
      int most = 1;
      if (decoration(type, spv::Decoration::CPacked)) return most;
      if (++depth_ > kMaxDepth) {
        depth_ = 0;
        throw Unsupported("types that are nested too deeply");
      }
      for (const Id member : operands(type)) most = std::max(most, alignment(member));
      --depth_;
      return most;
    }
    default:
      return scalar(type).bytes();
  }
}

std::uint64_t Context::bytes(Id type, const Layout& layout) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  switch (op(type)) {
    case SpvOp::OpTypeVector: {
      const std::uint64_t count = length(type);
      if (layout.component_stride > 0) {
        return (count - 1) * layout.component_stride + bytes(operands(type)[0]);
      }
      return bytes(operands(type)[0]) * (count == 3 && !is_shader_ ? 4 : count);
    }
    case SpvOp::OpTypeMatrix: {
      if (layout.row_major) {
        const Id column = operands(type)[0];
        return length(column) * std::max<std::uint64_t>(layout.matrix_stride,
                                                        length(type) * bytes(operands(column)[0]));
      }
      return length(type) * stride(type, layout);
    }
    case SpvOp::OpTypeArray: {
      const std::uint64_t count = length(type);
      const std::uint64_t one = stride(type, layout);
      if (one > 0 && count > most / one) throw Unsupported("an array that is too large");
      return count * one;
    }
    case SpvOp::OpTypeRuntimeArray:
      return 0;
    case SpvOp::OpTypeStruct: {
      if (++depth_ > kMaxDepth) {
        depth_ = 0;
        throw Unsupported("types that are nested too deeply");
      }
      std::uint64_t end = 0;
      bool is_laid_out = false;
      const bool packed = decoration(type, spv::Decoration::CPacked).has_value();
      // Offsets are decorations, or the sum of what is before: one pass for all.
      const auto members = operands(type);
      for (std::uint32_t m = 0; m < members.size(); ++m) {
        const auto given = decoration(type, m, spv::Decoration::Offset);
        is_laid_out = is_laid_out || given;
        const std::uint64_t at = given    ? *given
                                 : packed ? end
                                          : rounded_up(end, alignment(members[m]));
        end = std::max(end, at + bytes(members[m], part_layout(type, m, layout)));
      }
      --depth_;
      return is_laid_out || packed ? end : rounded_up(end, alignment(type));
    }
    default:
      return static_cast<std::uint64_t>(scalar(type).bytes());
  }
}

bool Context::has_runtime_array(Id type) const {
  if (op(type) == SpvOp::OpTypeRuntimeArray) return true;
  if (op(type) != SpvOp::OpTypeStruct || operands(type).empty()) return false;
  return op(operands(type).back()) == SpvOp::OpTypeRuntimeArray;
}

bool Context::holds_pointers(Id type) {
  switch (op(type)) {
    case SpvOp::OpTypePointer:
    case SpvOp::OpTypeImage:
    case SpvOp::OpTypeSampledImage:
    case SpvOp::OpTypeEvent:
      return true;
    case SpvOp::OpTypeArray:
    case SpvOp::OpTypeRuntimeArray:
    case SpvOp::OpTypeStruct: {
      const auto [known, is_new] = holds_pointers_.try_emplace(type, false);
      if (!is_new) return known->second;
      const auto of = operands(type);
      const std::size_t parts = op(type) == SpvOp::OpTypeStruct ? of.size() : 1;
      const bool holds = std::any_of(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(parts),
                                     [&](Id part) { return holds_pointers(part); });
      return holds_pointers_[type] = holds;
    }
    default:
      return false;
  }
}

// A literal that happens to be the number of the id counts as a use.
bool Context::is_used(Id id) {
  if (used_.empty()) {
    for (const RawInstruction& one : words_.instructions) {
      switch (static_cast<SpvOp>(one.op)) {
        case SpvOp::OpLifetimeStart:
        case SpvOp::OpLifetimeStop:
        case SpvOp::OpName:
        case SpvOp::OpDecorate:
          break;
        default:
          for (const std::uint32_t word : words_.operands(one)) used_.insert(word);
      }
    }
  }
  return used_.contains(id);
}

void Context::measure(Id type, const Layout& layout, std::uint64_t at, std::vector<Leaf>& into,
                      int depth) {
  if (depth > kMaxDepth) throw Unsupported("types that are nested too deeply");
  switch (op(type)) {
    case SpvOp::OpTypeVector:
    case SpvOp::OpTypeMatrix:
    case SpvOp::OpTypeArray:
    case SpvOp::OpTypeStruct: {
      const std::uint64_t count = length(type);
      if (count > kMaxParts) {
        throw Unsupported(fmt::format("a value of more than {} parts", kMaxParts));
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        measure(part(type, i), part_layout(type, i, layout), at + part_at(type, i, layout), into,
                depth + 1);
      }
      return;
    }
    case SpvOp::OpTypeRuntimeArray:
      throw Unsupported("an array of unknown length as a value");
    case SpvOp::OpTypeVoid:
      return;
    default:
      if (into.size() == kMaxParts) {
        throw Unsupported(fmt::format("a value of more than {} parts", kMaxParts));
      }
      into.push_back({scalar(type), at});
  }
}

std::vector<Leaf> Context::leaves(Id type, const Layout& layout) {
  std::vector<Leaf> result;
  measure(type, layout, 0, result, 0);
  return result;
}

std::vector<Type> Context::types(Id type) {
  std::vector<Type> result;
  for (const Leaf& leaf : leaves(type)) result.push_back(leaf.type);
  return result;
}

// ---- Places

int Context::file(Id string) {
  const auto [found, is_new] = files_.try_emplace(string, -1);
  if (!is_new) return found->second;
  const std::string name = literal(operands(string));
  const auto known = std::find(module_.files.begin(), module_.files.end(), name);
  found->second = static_cast<int>(known - module_.files.begin());
  if (known == module_.files.end()) module_.files.push_back(name);
  return found->second;
}

int Context::text_file() {
  if (!module_.listing.empty()) return 0;
  if (text_file_ < 0) {
    text_file_ = static_cast<int>(module_.files.size());
    module_.files.push_back(module_.path);
  }
  return text_file_;
}

}  // namespace headway::kernel::spirv
