// What programs of the idiom language need besides their own functions, whichever way they are
// written.
#pragma once

#include <string>

#include "emit/kernel.hpp"
#include "lang/idiom/code.hpp"

namespace headway::emit {

// The functions of the dialect that the program calls, and the constants that those use.
std::string helpers(const lang::idiom::Code& code, const Kernel& kernel, const Dialect& dialect);

// Throws headway::Error for an operation that targets do not have: fetch_min and fetch_max of
// negative values, arithmetic that wraps at another number than 2^32, a choice of the environment.
void require_operations(const lang::idiom::Code& code, const std::string& name);

}  // namespace headway::emit
