// The variables of a host program whose values are computed: main is made to construct them first
// and to destroy them where it returns.
#pragma once

#include <llvm-c/Core.h>

namespace headway::kernel::llvm {

// Does nothing to a module without a function main. What ends by exit() destroys nothing.
void run_constructors(LLVMModuleRef module);

}  // namespace headway::kernel::llvm
