// What programs of the idiom language need besides their own functions, whichever way they are
// written.
#pragma once

#include <string>
#include <string_view>

#include "emit/kernel.hpp"
#include "lang/idiom/code.hpp"

namespace headway::emit {

// The functions of the dialect that the program calls, and the constants that those use.
std::string helpers(const lang::idiom::Code& code, const Kernel& kernel, const Dialect& dialect);

// A function that others call where numbers wrap, for kernels with groups.
std::string write_wrapping(const Dialect& dialect);

// How a target writes an access of one operand whose value is the old one; empty for the others.
std::string_view operation(const Dialect& dialect, lang::idiom::AccessKind access);

// Throws headway::Error for an operation that targets do not have: fetch_min and fetch_max of
// negative values, arithmetic that wraps at another number than 2^32, a choice of the environment.
void require_operations(const lang::idiom::Code& code, const std::string& name);

}  // namespace headway::emit
