// Barriers that threads meet at between two accesses and that order other memory than theirs: what
// somebody who looks for a race wants to know first.
#pragma once

#include <string>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// "; the barrier at line 9 between them orders memory of the workgroup alone", with the fence that
// it lacks on one side where there is one on the other (Instruction::kind); or nothing where there
// is no such barrier on a way from the one to the other. `of_group` says what is accessed,
// `together` of which scope both threads are. Linear in the function.
std::string idle_barrier_text(const Function& function, const Instruction& first,
                              const Instruction& second, bool of_group, Scope together);

}  // namespace headway::kernel
