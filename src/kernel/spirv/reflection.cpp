#include "kernel/spirv/reflection.hpp"

#include <fmt/format.h>
#include <spirv/unified1/NonSemanticClspvReflection.h>

#include <iterator>

namespace headway::kernel::spirv {

std::string Reflection::name(std::uint64_t at, std::uint32_t byte) const {
  auto found = arguments.upper_bound({at, byte});
  if (found == arguments.begin()) return {};
  found = std::prev(found);
  const auto& [where, argument] = *found;
  if (where.first != at || byte - where.second >= argument.bytes) return {};
  return byte == where.second ? argument.name
                              : fmt::format("{}+{}", argument.name, byte - where.second);
}

Reflection read_reflection(Context& context, Id entry) {
  Reflection result;
  const Words& words = context.words();
  const auto number = [&](Id id) {
    return static_cast<std::uint32_t>(context.known(id, "a number of clspv's"));
  };
  const auto launch = [&](std::span<const std::uint32_t> of, Reflection::Given given) {
    const std::uint32_t at = number(of[2]), bytes = number(of[3]);
    for (std::uint32_t i = 0; i < 3 && 4 * i < bytes; ++i) {
      result.words[at + 4 * i] = {given, static_cast<int>(i)};
    }
  };
  for (const RawInstruction& one : words.instructions) {
    if (static_cast<spv::Op>(one.op) != spv::Op::OpExtInst || one.set != ExtendedSet::other) {
      continue;
    }
    const auto of = words.operands(one);
    if (!literal(context.operands(of[0])).starts_with("NonSemantic.ClspvReflection.")) continue;
    // Of this kernel: the instruction Kernel that is named has its function first.
    const auto is_own = [&] {
      const auto kernel = context.operands(of[2]);
      return kernel.size() > 2 && kernel[2] == entry;
    };
    const auto argument = [&](std::uint64_t place, std::uint32_t at, std::uint32_t bytes,
                              std::size_t info) {
      if (!is_own() || of.size() <= info) return;
      const auto named = context.operands(of[info]);
      if (named.size() > 2) {
        result.arguments[{place, at}] = {literal(context.operands(named[2])), bytes};
      }
    };
    switch (of[1]) {
      case NonSemanticClspvReflectionArgumentStorageBuffer:
      case NonSemanticClspvReflectionArgumentUniform:
        argument(Reflection::place(number(of[4]), number(of[5])), 0, 1, 6);
        break;
      case NonSemanticClspvReflectionArgumentPodStorageBuffer:
      case NonSemanticClspvReflectionArgumentPodUniform:
        argument(Reflection::place(number(of[4]), number(of[5])), number(of[6]), number(of[7]), 8);
        break;
      case NonSemanticClspvReflectionArgumentPodPushConstant:
        argument(Reflection::kPushConstants, number(of[4]), number(of[5]), 6);
        break;
      // Launches have no offset and are not divided into regions.
      case NonSemanticClspvReflectionPushConstantGlobalOffset:
      case NonSemanticClspvReflectionPushConstantRegionOffset:
      case NonSemanticClspvReflectionPushConstantRegionGroupOffset:
        launch(of, Reflection::Given::zero);
        break;
      case NonSemanticClspvReflectionPushConstantEnqueuedLocalSize:
        launch(of, Reflection::Given::group_size);
        break;
      case NonSemanticClspvReflectionPushConstantGlobalSize:
        launch(of, Reflection::Given::global_size);
        break;
      case NonSemanticClspvReflectionPushConstantNumWorkgroups:
        launch(of, Reflection::Given::groups);
        break;
      case NonSemanticClspvReflectionConstantDataStorageBuffer:
      case NonSemanticClspvReflectionConstantDataUniform:
      case NonSemanticClspvReflectionProgramScopeVariablesStorageBuffer:
        throw Unsupported("a buffer whose data clspv keeps beside the code");
      default:
        break;
    }
  }
  return result;
}

}  // namespace headway::kernel::spirv
