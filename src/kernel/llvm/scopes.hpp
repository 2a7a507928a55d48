// Local variables whose addresses may outlive their function: returned, or stored where others
// find them. Promotion and inlining forget where a function ends, so that `int* f() { int x = 7;
// return &x; }` gives what can be read for good. The ends are marked before.
#pragma once

#include <llvm-c/Core.h>

namespace headway::kernel::llvm {

// Before anything is promoted or inlined.
void mark_scopes(LLVMModuleRef module);

// Whether an instruction is where the scope of a variable begins, or ends: one of these marks, or
// LLVM's own.
bool begins_scope(LLVMValueRef instruction);
bool ends_scope(LLVMValueRef instruction);

}  // namespace headway::kernel::llvm
