// Writes tests in either text format. parse(print(test)) == test for every valid test, and
// parse(print_published(test)) has the same threads.
#pragma once

#include <string>

#include "lang/test.hpp"

namespace headway::lang {

// The litmus format: C-like statements, labels L<index> where one is jumped to. A program of the
// idiom language as it was written, with its N alone.
std::string print(const Test& test);

// The published format. It has no place for names, initial values, comments or expectations. Throws
// headway::Error for a test that is not of AXB instructions.
std::string print_published(const Test& test);

// One instruction of a test as a statement of the litmus format, jumps to L<index> or END.
std::string print_statement(const Test& test, const Instruction& instruction, int index,
                            int length);

}  // namespace headway::lang
