#include "kernel/naga/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace headway::kernel::naga {
namespace {

// Behind a comment that begins at `at`; comments with stars nest.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  if (text[at + 1] == '/') return std::min(text.find('\n', at), text.size());
  int depth = 0;
  while (at + 1 < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "/*") ++depth;
    if (two == "*/") --depth;
    at += two == "/*" || two == "*/" ? 2 : 1;
    if (depth == 0) return at;
  }
  return text.size();
}

}  // namespace

bool is_word_part(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> result;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const bool is_comment = text.substr(at).starts_with("//") || text.substr(at).starts_with("/*");
    if (is_comment) {
      end = behind_comment(text, at);
    } else if (is_word_part(text[at])) {
      while (end < text.size() && is_word_part(text[end])) ++end;
    }
    const std::string_view token = text.substr(at, end - at);
    if (!is_comment && std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      result.push_back({token, line});
    }
    line += static_cast<int>(std::count(token.begin(), token.end(), '\n'));
    at = end;
  }
  return result;
}

}  // namespace headway::kernel::naga
