// PTX -> syntax.hpp: the statements of a body, as they stand between braces or in inline assembly.
// Reads opcodes, modifiers and operands of any instruction; which of them there are, and what they
// mean, is in instructions.hpp. Linear in the text, up to limits on braces and registers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

// Registers and braces within braces that a text may have.
inline constexpr std::size_t kMostRegisters = 65536;
inline constexpr int kMostBraces = 64;

// `before`: registers that are there before the text, by their names. Throws an Error with a line
// of `file` that says what was found and what was expected.
Text parse(std::string_view text, const std::string& file, std::vector<Register> before = {});

// The type of registers or of data that a word names: "u32", "pred"; nothing for other words.
std::optional<Type> type_named(std::string_view word);

}  // namespace headway::kernel::ptx
