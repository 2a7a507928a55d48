// What clspv says of the kernels that it compiled: the names of their arguments, and which push
// constants are not arguments but sizes of the launch. Its instructions are those of the grammar of
// NonSemantic.ClspvReflection, which is part of SPIRV-Headers.
#pragma once

#include <map>
#include <string>

#include "kernel/spirv/context.hpp"

namespace headway::kernel::spirv {

struct Reflection {
  // Where clspv puts what a launch knows: 32 bits for each dimension.
  enum class Given { zero, group_size, groups, global_size };
  struct Word {
    Given given = Given::zero;
    int dimension = 0;
  };
  struct Argument {
    std::string name;
    std::uint32_t bytes = 0;  // behind the place; 1 of a whole buffer
  };
  // A place is a descriptor set and a binding, as Context has them, or kPushConstants.
  static constexpr std::uint64_t kPushConstants = ~std::uint64_t{0};
  static std::uint64_t place(std::uint64_t set, std::uint64_t binding) {
    return set << 32 | binding;
  }

  std::map<std::uint32_t, Word> words;  // by the byte of the push constants
  std::map<std::pair<std::uint64_t, std::uint32_t>, Argument> arguments;  // by place and byte

  // The name of what lies there; empty where it is not known.
  std::string name(std::uint64_t at, std::uint32_t byte) const;
};

// Throws Unsupported where a module brings data of its own for a buffer.
Reflection read_reflection(Context& context, Id entry);

}  // namespace headway::kernel::spirv
