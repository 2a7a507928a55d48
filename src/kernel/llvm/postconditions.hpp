// __ensures stands at the start of a function and speaks of its end: its condition is evaluated
// anew before each return. What __old_int() names, and what the function computed before, is what
// it was; the value returned is known there. A condition that branches stays where it is: as it is
// the same at the end if it reads nothing, and else for readers to refuse.
#pragma once

#include <llvm-c/Core.h>

namespace headway::kernel::llvm {

// Before inlining, as a return is then one of the function that says so.
void move_postconditions(LLVMModuleRef module);

}  // namespace headway::kernel::llvm
