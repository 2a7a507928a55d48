// Programs of the idiom language as kernels: registers as variables, a case an instruction, local
// computation as it is written. Jumps lead past what does nothing.
#pragma once

#include "emit/kernel.hpp"
#include "lang/idiom/code.hpp"

namespace headway::emit {

// Sets the body of `kernel` and its memory. A violated assertion does not stop its thread, so that
// others do not wait for it in vain, but adds VIOLATED to the count of finished workgroups. (In C++
// the program ends with an error.) Programs of groups, and what else a loop around a switch cannot
// say, become what emit/groups_kernel.hpp makes of them. Throws headway::Error for an operation
// that targets do not have.
void lower(const std::shared_ptr<const lang::idiom::Code>& code, Kernel& kernel);

}  // namespace headway::emit
