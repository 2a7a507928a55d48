// The functions of the threads of a program of the idiom language: registers as variables, a case
// an instruction, local computation as it is written. Jumps lead past what does nothing.
#pragma once

#include <string>

#include "emit/kernel.hpp"

namespace headway::emit {

// A violated assertion does not stop its thread, so that others do not wait for it in vain, but
// adds VIOLATED to the count of finished workgroups. (In C++ the program ends with an error.)
std::string idiom_functions(const lang::idiom::Code& code, const Kernel& kernel,
                            const Dialect& dialect);

}  // namespace headway::emit
