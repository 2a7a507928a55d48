// Calls by pointers to functions of the module, as calls of a function that compares the pointer
// with each that it may be: those whose address is taken, of the same type. A pointer that is none
// of them is not defined to be called.
#pragma once

#include <llvm-c/Core.h>

namespace headway::kernel::llvm {

// Whether there were any. To be called between rounds of inlining.
bool resolve_pointer_calls(LLVMModuleRef module);

}  // namespace headway::kernel::llvm
