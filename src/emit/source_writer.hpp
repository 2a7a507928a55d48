// The functions and blocks of a program of the idiom language in the words of a target.
#pragma once

#include <string>

#include "emit/kernel.hpp"
#include "lang/idiom/code.hpp"
#include "lang/idiom/constants.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::emit {

// What is written: a program, and which location of the kernel each of its variables is.
struct SourceProgram {
  const lang::idiom::Syntax& syntax;
  const lang::idiom::Constants& constants;
  const lang::idiom::Code& code;
  const Kernel& kernel;
  std::vector<std::string> locations;  // names, by variable
};

std::string write_function(const SourceProgram& program, const Dialect& dialect, std::size_t index);
// Named block_0, block_1, ...
std::string write_block(const SourceProgram& program, const Dialect& dialect, std::size_t index);
// What the `final` block asserts, as statements.
std::string write_final(const SourceProgram& program, const Dialect& dialect);
}  // namespace headway::emit
