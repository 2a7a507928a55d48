// Numbers as PTX writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernel/ptx/lexer.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

// "12", "0x1fU", "0b11", "017"; nothing for what is no integer of 64 bits.
std::optional<std::uint64_t> integer_of(std::string_view text);

// An integer or a real; `token` was taken from `lexer`, which says what is wrong with it.
Operand literal(const Lexer& lexer, const Token& token, bool negative);

// The integer that comes next, which is `least` to `most`; `what` names it in messages.
std::uint64_t take_integer(Lexer& lexer, std::string_view what, std::uint64_t least,
                           std::uint64_t most);

}  // namespace headway::kernel::ptx
