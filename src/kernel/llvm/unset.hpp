// Variables that have no value yet. LLVM takes what was never stored for whatever suits it:
// promotion of `int x; if (c) x = 0;` makes x always 0, and nothing depends on it any more. So each
// variable is given a value that LLVM knows nothing of where it begins; readers find it where it is
// looked at, as a value that was never set. Our own compilations say where variables are declared
// that nobody sets, each time that control comes there: by an initialization of the compiler's.
#pragma once

#include <llvm-c/Core.h>

#include <optional>
#include <string>

namespace headway::kernel::llvm {

// Before anything is promoted or inlined.
void mark_unset(LLVMModuleRef module);

// Whether a store, fill or copy is not of the source, but an initialization of what it leaves
// unset.
bool is_of_compiler(LLVMValueRef instruction);

// The name of the variable, in the source, of a value that is such a mark.
std::optional<std::string> unset_variable(LLVMValueRef value);

}  // namespace headway::kernel::llvm
