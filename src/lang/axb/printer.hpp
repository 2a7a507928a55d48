// Writes AXB code in either of its text formats. What is printed is read as it was, but that the
// published format has no place for names, initial values, comments or expectations.
#pragma once

#include <string>

#include "lang/axb/code.hpp"

namespace headway::lang::axb {

// The litmus format: C-like statements, labels L<index> where one is jumped to. `code` is that of
// `test`.
std::string print_litmus(const Test& test, const Code& code);

// The published format.
std::string print_published(const Code& code);

// One instruction of a program as a statement of the litmus format, jumps to L<index> or END.
std::string print_statement(const Code& code, const Instruction& instruction, int index,
                            int length);

}  // namespace headway::lang::axb
