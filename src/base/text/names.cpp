#include "base/text/names.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "base/characters.hpp"

namespace headway {
std::string safe_name(const std::string& name, std::string_view also) {
  constexpr std::size_t longest = 100;
  std::string result;
  for (const char c : name.substr(0, longest)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || also.find(c) != std::string_view::npos;
    result += plain ? c : '_';
  }
  return result.starts_with('.') ? "_" + result : result;
}

namespace {

// Bytes of the character of UTF-8 that `text` begins with; 0 if it begins with none, with one that
// is written too long, or with a control character.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  unsigned code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr unsigned least[] = {0, 0, 0xa0, 0x800, 0x10000};  // U+0080 to U+009F are controls
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code >= least[length] && !surrogate && code <= 0x10ffff ? length : 0;
}

}  // namespace

std::string printable(std::string_view text, std::string_view but) {
  std::string result;
  while (!text.empty()) {
    const bool allowed = but.find(text.front()) != std::string_view::npos;
    const std::size_t length = allowed ? 1 : character_length(text);
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      constexpr char digits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text.front());
      result += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && is_inside_character(text[most])) --most;
  return std::string(text.substr(0, most)) + "...";
}

std::vector<std::string> distinct_names(std::vector<std::string> names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  if (taken.size() == names.size()) return names;
  std::unordered_map<std::string, int> seen;
  for (std::string& name : names) {
    int& count = seen[name];
    if (++count == 1) continue;
    std::string own = name + "-" + std::to_string(count);
    while (!taken.insert(own).second) own = name + "-" + std::to_string(++count);
    name = std::move(own);
  }
  return names;
}

}  // namespace headway
