// Whether all threads of a subgroup come by at its operations together. The machine waits for all
// that have not ended; SPIR-V's non-uniform operations are of those alone that are there, which is
// the same only where control does not differ within a subgroup. Else the function is refused.
#pragma once

#include <stdexcept>
#include <string>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::spirv {

struct NotUniform : std::runtime_error {
  NotUniform(const std::string& message, Place where) : std::runtime_error(message), place(where) {}
  Place place;
};

// Throws NotUniform for an operation (Instruction::partial) that only some threads may come to
// while others go on elsewhere. Those that all come to are not partial afterwards; partial stay
// those that threads may have ended before. Blocks have to be in order.
void require_uniform(Function& function);

}  // namespace headway::kernel::spirv
