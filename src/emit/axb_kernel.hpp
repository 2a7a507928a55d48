// AXB code as a kernel: a program counter in a loop around a switch with a case a step, each one
// atomic access.
#pragma once

#include "emit/kernel.hpp"
#include "lang/axb/code.hpp"

namespace headway::emit {

// Sets the body of `kernel` and its memory.
void lower(const lang::axb::Code& code, Kernel& kernel);

}  // namespace headway::emit
