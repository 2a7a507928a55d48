// Of vectors in memory, the components that are read.
#include <algorithm>

#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {

// Of a vector that is loaded: the components that anything asks for.
std::vector<bool> FunctionReader::used_components(const RawInstruction& load) const {
  const Words& words = context_.words();
  const std::uint32_t count = context_.length(load.type);
  std::vector<bool> used(count, false);
  const auto take = [&](std::uint32_t at, std::uint32_t first) {
    if (at >= first && at - first < count) used[at - first] = true;
  };
  auto at = static_cast<std::size_t>(&load - words.instructions.data());
  while (static_cast<spv::Op>(words.instructions[at].op) != spv::Op::OpFunction) --at;
  for (;; ++at) {
    const RawInstruction& one = words.instructions[at];
    const auto op = static_cast<spv::Op>(one.op);
    if (op == spv::Op::OpFunctionEnd) return used;
    const auto of = words.operands(one);
    if (op == spv::Op::OpLine || std::ranges::find(of, load.result) == of.end()) continue;
    if (op == spv::Op::OpCompositeExtract && of.size() == 2) {
      take(of[1], 0);
    } else if (op == spv::Op::OpVectorShuffle) {
      const std::uint32_t second = context_.length(context_.definition(of[0]).type);
      for (const std::uint32_t chosen : of.subspan(2)) {
        if (of[0] == load.result && chosen < second) take(chosen, 0);
        if (of[1] == load.result) take(chosen, second);
      }
    } else {
      return std::vector<bool>(count, true);
    }
  }
}

// In GLSL and HLSL `v.xz` reads two components, although their compiler loads them all.
Parts FunctionReader::loaded_components(const RawInstruction& instruction, const Pointer& from,
                                        const Manner& manner) {
  const std::vector<bool> used = used_components(instruction);
  if (std::ranges::find(used, false) == used.end()) return loaded(from, manner);
  const std::vector<Leaf> leaves = context_.leaves(from.type, from.layout);
  Parts all;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      all.push_back(builder_.undefined(leaves[i].type));
      continue;
    }
    Pointer one = from;
    one.type = context_.part(from.type, 0);
    one.address = builder_.offset(from.address, static_cast<std::int64_t>(leaves[i].at));
    all.push_back(loaded(one, manner).front());
  }
  return all;
}

}  // namespace headway::kernel::spirv
