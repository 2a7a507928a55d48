// Calls by pointers to functions of the module, as calls of a function that compares the pointer
// with each that it may be: those whose address is taken, of the same type. A pointer that is none
// of them is not defined to be called. One that comes to a kernel from outside, as an argument or
// from memory that one leads to, may be any function: such a call stays as it is.
#pragma once

#include <llvm-c/Core.h>

#include <set>
#include <string>

namespace headway::kernel::llvm {

// Whether there were any. To be called between rounds of inlining.
bool resolve_pointer_calls(LLVMModuleRef module, const std::set<std::string>& kernels);

}  // namespace headway::kernel::llvm
