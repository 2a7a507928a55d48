// Uniform blocks and push constants, whose members are arguments.
#include <fmt/format.h>

#include "kernel/ir/premises.hpp"
#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {

ValueId FunctionReader::launch_word(const Reflection::Word& word) {
  switch (word.given) {
    case Reflection::Given::group_size:
      return given(Builtin::group_size, word.dimension);
    case Reflection::Given::groups:
      return given(Builtin::groups, word.dimension);
    case Reflection::Given::global_size:
      return builder_.binary(Op::mul, given(Builtin::groups, word.dimension),
                             given(Builtin::group_size, word.dimension));
    case Reflection::Given::zero:
      add_premise(builder_.function(), kNoOffset);
      break;
  }
  return builder_.integer(32, 0);
}

ValueId FunctionReader::block_argument(const Pointer& from) {
  const Type type = context_.scalar(from.type);
  const std::uint64_t place = place_of(from.variable);
  const auto at = static_cast<std::uint32_t>(from.offset);
  if (const auto word = reflection_.words.find(at);
      place == Reflection::kPushConstants && word != reflection_.words.end()) {
    return builder_.resize(launch_word(word->second), type.bits, false);
  }
  const auto [found, is_new] = block_arguments_.try_emplace({place, from.offset}, kNone);
  if (!is_new) {
    if (builder_.type(found->second) == type) return found->second;
    throw Unsupported("uniform data that is taken for two types");
  }
  Function& into = builder_.function();
  Parameter made;
  const Id block = context_.pointee(context_.definition(from.variable).type);
  std::string block_name = context_.name(from.variable);
  if (block_name.empty()) block_name = context_.name(block);
  if (block_name.empty()) block_name = "block";
  const bool numbered = !from.name.empty() && from.name[0] >= '0' && from.name[0] <= '9';
  const std::string argument = reflection_.name(place, at);
  made.name = !argument.empty()
                  ? free_name(argument, block_name)
                  : free_name(numbered ? block_name + "." + from.name : from.name, block_name);
  made.type = type;
  const ValueId value = builder_.argument(type, into.parameters.size(), made.name);
  into.parameters.push_back(std::move(made));
  into.arguments.push_back(value);
  return found->second = value;
}

Parts FunctionReader::loaded_block(const Pointer& from) {
  Parts all;
  switch (context_.op(from.type)) {
    case spv::Op::OpTypeStruct:
      for (std::uint32_t m = 0; m < context_.length(from.type); ++m) {
        Pointer part = from;
        part.offset += context_.part_at(from.type, m, from.layout);
        part.layout = context_.part_layout(from.type, m, from.layout);
        part.type = context_.part(from.type, m);
        const bool is_top = from.type == context_.pointee(context_.definition(from.variable).type);
        const std::string name = context_.member_name(from.type, m);
        part.name = is_top ? name : from.name + "." + name;
        const Parts more = loaded_block(part);
        all.insert(all.end(), more.begin(), more.end());
      }
      return all;
    case spv::Op::OpTypeVector:
      for (std::uint32_t i = 0; i < context_.length(from.type); ++i) {
        Pointer part = from;
        part.offset += context_.part_at(from.type, i, from.layout);
        part.type = context_.part(from.type, i);
        part.name += fmt::format(".{}", "xyzw"[i % 4]);
        all.push_back(block_argument(part));
      }
      return all;
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeRuntimeArray:
      return loaded(materialized(from), {});
    default:
      return {block_argument(from)};
  }
}

}  // namespace headway::kernel::spirv
