// Whether the code itself has all threads of a workgroup come to each barrier, and to each
// operation of a subgroup, in the same round of all loops around it. The engine of `check` sees
// that all threads come by, not that they do so by the same condition, which is what CUDA and
// OpenCL ask for. Says no where it is not sure.
#pragma once

#include "kernel/machine/code.hpp"

namespace headway::verify {

// Of launches in which nothing races. Quadratic in the blocks.
bool has_uniform_barriers(const kernel::Code& code);

}  // namespace headway::verify
