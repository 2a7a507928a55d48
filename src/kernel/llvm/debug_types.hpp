// What debug information says of the types of parameters, which pointers of LLVM no longer do.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {

// What a parameter points to, in bytes: 0 where that has no known size, and as it is aligned for
// sure.
struct Pointee {
  std::uint64_t bytes = 0;
  int align = 1;
};

// Of each parameter of a function. Empty where there is no debug information, or it has other
// parameters.
std::vector<Pointee> pointed_to(const Context& context, LLVMValueRef function);

}  // namespace headway::kernel::llvm
