// What follows from the size of a workgroup where the code fixes it: gl_LocalInvocationID.x < 64 in
// a workgroup of 64 threads.
#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Comparisons with constants that ranges of ids decide are constants. Linear.
void fold_id_ranges(Function& function);

}  // namespace headway::kernel
