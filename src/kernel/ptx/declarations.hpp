// Declarations of variables and parameters of PTX.
#pragma once

#include <string_view>
#include <vector>

#include "kernel/ptx/lexer.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

// Bytes of a variable.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

// ".shared", ".global", ".const", ".local" or ".param".
bool begins_variables(std::string_view word);

// Behind `space`, up to the ';': ".align 4 .b8 a[16] = {1, 2}, b;".
std::vector<Variable> parse_variables(Lexer& lexer, const Token& space, bool is_external = false);

// A parameter of a function, ".param" and all: ".param .u64 .ptr .global .align 4 a".
Variable parse_parameter(Lexer& lexer);

// Behind ".pragma": texts up to ';', which are hints for compilers.
void skip_pragma(Lexer& lexer);

}  // namespace headway::kernel::ptx
