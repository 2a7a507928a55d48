// The statements of WGSL, as far as it takes to put calls in front of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernel/naga/tokens.hpp"

namespace headway::kernel::naga {

struct Insertion {
  std::size_t before = 0;  // a token
  std::string text;
};
// Calls of `mark` with the line of each function, in front of its body, and of each statement, in
// front of it. `else if` becomes a block of its own. In the order of the text. Nothing behind what
// is no WGSL.
std::vector<Insertion> statement_marks(const std::vector<Token>& tokens, const std::string& mark);

}  // namespace headway::kernel::naga
