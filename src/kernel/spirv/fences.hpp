// Vulkan lets a release in front of a control barrier synchronize with an acquire behind it, each
// an instruction of its own or the barrier itself (its memory model, "synchronizes with").
#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::kernel::spirv {

// Lets barriers of a workgroup order what fences right in front of them and right behind them do.
void join_fences(Function& function);

}  // namespace headway::kernel::spirv
