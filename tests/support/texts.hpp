// What tests do with texts.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace headway::testing {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::string repeated(int count, const std::string& text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// With lines that were too long, and went on further in, in one piece again.
inline std::string unfolded(std::string text) {
  const std::string fold = "\n    ";
  for (std::size_t at = 0; (at = text.find(fold, at)) != std::string::npos;) {
    text.replace(at, fold.size(), " ");
  }
  return text;
}

// Less what terminals take for colours.
inline std::string without_colors(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\033') {
      at = text.find('m', at);
    } else {
      result += text[at];
    }
  }
  return result;
}

}  // namespace headway::testing
