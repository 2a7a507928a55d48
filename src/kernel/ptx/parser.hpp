// PTX -> syntax.hpp: the statements of inline assembly, and modules.
// Reads opcodes, modifiers and operands of any instruction; which of them there are, and what they
// mean, is in instructions.hpp. Linear in the text, up to limits on braces and registers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

// `before`: registers that are there before the text, by their names. Throws an Error with a line
// of `file` that says what was found and what was expected.
Text parse(std::string_view text, const std::string& file, std::vector<Register> before = {});

// A file of PTX. Sections, which are for debuggers, are left out. Errors as those of parse().
ModuleText parse_module(std::string_view text, const std::string& file);

}  // namespace headway::kernel::ptx
