#include "support/sources.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace headway::testing {

std::vector<Include> includes_of(const std::string& text) {
  constexpr std::string_view directive = "#include ";
  std::vector<Include> includes;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.starts_with(directive)) continue;
    const std::size_t open = directive.size();
    const std::size_t close = line.find_first_of("\">", open + 1);
    includes.push_back({line.substr(open + 1, close - open - 1), line.at(open) == '"', number});
  }
  return includes;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i), text.size() - 2) + 2;
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', i);
      const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
      i = std::min(text.find(close, open), text.size() - close.size()) + close.size();
    } else if (c == '"' || (c == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i) i += text[i] == '\\';
      ++i;
    } else {
      code += text[i++];
    }
  }
  return code;
}

}  // namespace headway::testing
