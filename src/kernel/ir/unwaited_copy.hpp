// Asynchronous copies of a workgroup that nothing waits for: a kernel of OpenCL must not end before
// they are over (OpenCL C 3.0, 6.15.11: all copies have to be waited for by wait_group_events()).
#pragma once

#include <optional>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Where the first copy stands that no way through the function waits behind, whatever for.
// Quadratic in the blocks at worst.
std::optional<Place> unwaited_copy(const Function& function);

}  // namespace headway::kernel
