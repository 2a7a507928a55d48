// The words and marks of WGSL.
#pragma once

#include <string_view>
#include <vector>

namespace headway::kernel::naga {

struct Token {
  std::string_view text;  // a word, a number or one mark
  int line = 0;           // from 1
};
// Comments and blanks are left out.
std::vector<Token> tokens_of(std::string_view text);

// Whether a word may have such a character in it; a name may be of any letters.
bool is_word_part(char c);

}  // namespace headway::kernel::naga
