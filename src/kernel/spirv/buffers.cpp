// Buffers of an entry point.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {

std::string FunctionReader::free_name(std::string wanted, const std::string& block) {
  if (wanted.empty()) wanted = block;
  if (names_.insert(wanted).second) return wanted;
  if (!block.empty() && block != wanted) {
    std::string longer = block + "." + wanted;
    if (names_.insert(longer).second) return longer;
  }
  for (int i = 2;; ++i) {
    std::string numbered = fmt::format("{}_{}", wanted, i);
    if (names_.insert(numbered).second) return numbered;
  }
}

// Variables of one set and binding are one resource, unless the language says otherwise.
std::uint64_t FunctionReader::place_of(Id variable) const {
  const spv::StorageClass storage = context_.storage(context_.definition(variable).type);
  if (storage == spv::StorageClass::PushConstant) return Reflection::kPushConstants;
  const auto set = context_.decoration(variable, spv::Decoration::DescriptorSet);
  const auto binding = context_.decoration(variable, spv::Decoration::Binding);
  const bool is_placed = set && binding && !context_.is_hlsl();
  return is_placed ? Reflection::place(*set, *binding) : Reflection::kPushConstants - variable;
}

ValueId FunctionReader::buffer(Id variable, std::uint64_t index) {
  const Id pointer_type = context_.definition(variable).type;
  Id type = context_.pointee(pointer_type);
  const std::uint64_t place = place_of(variable);
  const auto [found, is_new] = buffers_.try_emplace({place, index}, kNone);
  const bool is_array =
      context_.op(type) == spv::Op::OpTypeArray || context_.op(type) == spv::Op::OpTypeRuntimeArray;
  if (is_array) type = context_.part(type, 0);
  Function& into = builder_.function();
  const std::uint64_t size = context_.has_runtime_array(type) ? 0 : context_.bytes(type);
  if (!is_new) {
    Parameter& known = into.parameters[builder_.value(found->second).bits];
    known.bytes = std::max(known.bytes, size);
    if (size == 0) known.bytes = 0;
    return found->second;
  }
  std::string name = reflection_.name(place, 0);
  if (name.empty()) name = context_.name(variable);
  if (name.empty()) name = context_.name(type);
  const auto set = context_.decoration(variable, spv::Decoration::DescriptorSet);
  const auto binding = context_.decoration(variable, spv::Decoration::Binding);
  if (name.empty() && set && binding) name = fmt::format("set{}binding{}", *set, *binding);
  if (is_array) name += fmt::format("_{}", index);
  Parameter made;
  made.name = free_name(name, "buffer");
  made.type = Type::pointer();
  made.bytes = size;
  const spv::StorageClass storage = context_.storage(pointer_type);
  const bool is_buffer = storage == spv::StorageClass::StorageBuffer ||
                         context_.decoration(type, spv::Decoration::BufferBlock).has_value();
  made.space = is_buffer ? Space::global : Space::constant;
  const ValueId value = builder_.argument(made.type, into.parameters.size(), made.name);
  into.parameters.push_back(std::move(made));
  into.arguments.push_back(value);
  return found->second = value;
}

// Whether a module may write to a buffer, or to one of an array of buffers.
bool FunctionReader::is_written(Id variable) const {
  Id type = context_.pointee(context_.definition(variable).type);
  while (context_.op(type) == spv::Op::OpTypeArray ||
         context_.op(type) == spv::Op::OpTypeRuntimeArray) {
    type = context_.part(type, 0);
  }
  if (context_.op(type) != spv::Op::OpTypeStruct ||
      (context_.storage(context_.definition(variable).type) != spv::StorageClass::StorageBuffer &&
       !context_.decoration(type, spv::Decoration::BufferBlock)) ||
      context_.decoration(variable, spv::Decoration::NonWritable)) {
    return false;
  }
  for (std::uint32_t member = 0; member < context_.operands(type).size(); ++member) {
    if (!context_.decoration(type, member, spv::Decoration::NonWritable)) return true;
  }
  return false;
}

// In the order of the module, so that they do not depend on what is used first.
void FunctionReader::make_buffers(std::span<const std::uint32_t> interface,
                                  bool has_whole_interface) {
  int aliased = 0;
  for (const RawInstruction& one : context_.words().instructions) {
    const auto op = static_cast<spv::Op>(one.op);
    if (op == spv::Op::OpFunction) break;
    if (op != spv::Op::OpVariable) continue;
    if (has_whole_interface &&
        std::find(interface.begin(), interface.end(), one.result) == interface.end()) {
      continue;
    }
    const spv::StorageClass storage = context_.storage(one.type);
    const Id type = context_.pointee(one.type);
    const bool is_buffer = storage == spv::StorageClass::StorageBuffer ||
                           (storage == spv::StorageClass::Uniform &&
                            context_.decoration(type, spv::Decoration::BufferBlock).has_value());
    if (is_buffer && context_.op(type) == spv::Op::OpTypeStruct) buffer(one.result, 0);
    has_written_buffers_ = has_written_buffers_ || is_written(one.result);
    if (is_buffer && context_.decoration(one.result, spv::Decoration::Aliased) && ++aliased > 1) {
      throw Unsupported("buffers that may be the same memory (Aliased)");
    }
  }
}

// The length of what a buffer ends with comes with the launch.
void FunctionReader::read_array_length(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Pointer block = pointer(of[0]);
  if (block.root != Pointer::Root::memory ||
      builder_.value(block.address).kind != Value::Kind::argument) {
    throw Unsupported("the length of an array in a buffer that is chosen at run time");
  }
  const std::uint32_t member = of[1];
  const Id array = context_.part(block.type, member);
  const auto [found, is_new] = lengths_.try_emplace({block.address, member}, kNone);
  if (is_new) {
    Function& into = builder_.function();
    const auto parameter = static_cast<std::uint32_t>(builder_.value(block.address).bits);
    Parameter made;
    made.name = free_name(into.parameters[parameter].name + ".length", "length");
    made.type = Type::integer(32);
    made.length_of = parameter;
    made.length_from = context_.part_at(block.type, member, block.layout);
    made.length_stride = context_.stride(array, block.layout);
    found->second = builder_.argument(made.type, into.parameters.size(), made.name);
    into.parameters.push_back(std::move(made));
    into.arguments.push_back(found->second);
  }
  give(instruction, {found->second});
}

}  // namespace headway::kernel::spirv
