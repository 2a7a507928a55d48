// What debug information says of the types of parameters, which pointers of LLVM no longer do.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {

// Of each parameter of a function, in bytes, what it points to; 0 where it points to nothing of a
// known size. Empty where there is no debug information, or it has other parameters.
std::vector<std::uint64_t> pointed_to(const Context& context, LLVMValueRef function);

}  // namespace headway::kernel::llvm
