#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::verify {

// An access that is ordered with nothing that other threads do; null where there is none. Loads
// from what nobody writes are none: they race with nothing either way.
const kernel::Instruction* private_access(const kernel::Module& module,
                                          const kernel::Function& function);

}  // namespace headway::verify
