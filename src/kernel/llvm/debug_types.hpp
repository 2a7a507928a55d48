// What debug information says of the types of parameters, which pointers of LLVM no longer do, and
// of what parts of variables are called.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {

// What a parameter points to, in bytes: 0 where that has no known size, and as it is aligned for
// sure. Of a structure passed by value the type alone.
struct Pointee {
  std::uint64_t bytes = 0;
  int align = 1;
  std::uint32_t type = kNone;  // in the module
};

// Of each parameter of a function. Empty where there is no debug information, or it has other
// parameters.
std::vector<Pointee> pointed_to(Context& context, LLVMValueRef function);

// The type of a global variable in the module; kNone where there is no debug information.
std::uint32_t source_type(Context& context, LLVMValueRef global);

}  // namespace headway::kernel::llvm
