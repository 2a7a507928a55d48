// What clang's registration in a host program says: which stub on the host stands for which kernel,
// and which variable for which.
#pragma once

#include <llvm-c/Core.h>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::llvm {

// Adds to Module::kernels and Module::variables.
void read_bindings(LLVMModuleRef source, Module& module);

}  // namespace headway::kernel::llvm
