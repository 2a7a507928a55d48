#include "emit/text.hpp"

#include <algorithm>
#include <cctype>

namespace headway::emit {

std::string identifier(const std::string& prefix, const std::string& name, int index) {
  const bool plain = !name.empty() && name.front() != '_' && name.back() != '_' &&
                     name.find("__") == std::string::npos &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
                     });
  return plain ? prefix + name : fmt::format("{}{}", prefix, index);
}

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; },
      '_');
  return text;
}

}  // namespace headway::emit
