// Which kernels a target can say.
#pragma once

#include "emit/kernel.hpp"
#include "emit/target.hpp"

namespace headway::emit {

// Throws headway::Error, with the reason, for a kernel that cannot be written for the target.
void require_expressible(const Kernel& kernel, Target target);

}  // namespace headway::emit
