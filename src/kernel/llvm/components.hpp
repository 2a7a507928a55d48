// Accesses to components of vectors in memory. A component is a place of its own for OpenCL C
// (OpenCL C 3.0, "Memory Ordering Rules": a memory location is an object of scalar type), but clang
// loads the whole vector for `p->x`, and stores it with one part changed for `p->x = 1`: which
// would race with a thread that is at another component.
#pragma once

#include <llvm-c/Core.h>

namespace headway::kernel::llvm {

// Makes such loads and stores those of the components that the source names. Before anything is
// promoted or inlined, as a vector that the source loads, changes and stores looks alike later.
void part_components(LLVMModuleRef module);

}  // namespace headway::kernel::llvm
