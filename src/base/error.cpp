#include "base/error.hpp"

#include <algorithm>
#include <cstdio>

#include "base/characters.hpp"

namespace headway {
namespace {

// Bytes of a message: a few names may be long, and one that a whole file is quoted in is cut short.
constexpr std::size_t kLongestMessage = 1600;
constexpr std::size_t kWindow = 100;  // bytes of a source line that a diagnostic shows

// The message, with "..." in place of its middle if it is too long: of what is kept, a quarter is
// its end. No character is divided.
std::string bounded(const std::string& message) {
  if (message.size() <= kLongestMessage) return message;
  std::size_t head = kLongestMessage * 3 / 4, tail = message.size() - kLongestMessage / 4;
  while (head > 0 && is_inside_character(message[head])) --head;
  while (tail < message.size() && is_inside_character(message[tail])) ++tail;
  return message.substr(0, head) + "..." + message.substr(tail);
}

// Control bytes would move the caret or the terminal; tabs become one space, the rest a dot.
char printable(char c) {
  if (c == '\t') return ' ';
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f ? '.' : c;
}

std::string picture(std::string_view line, int column) {
  const std::size_t caret = std::min<std::size_t>(column > 0 ? column - 1 : 0, line.size());
  const std::size_t begin = caret > kWindow * 3 / 4 ? caret - kWindow * 3 / 4 : 0;
  const std::size_t end = std::min(line.size(), begin + kWindow);
  const std::string left = begin > 0 ? "..." : "";
  std::string shown = "  " + left;
  std::transform(line.begin() + begin, line.begin() + end, std::back_inserter(shown), printable);
  if (end < line.size()) shown += "...";
  return shown + "\n  " + std::string(left.size() + caret - begin, ' ') + "^";
}

}  // namespace

std::string SourcePosition::to_string() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

Error::Error(const std::string& message) : std::runtime_error(bounded(message)) {}

Error::Error(SourcePosition where, const std::string& message, std::string_view source_line)
    : std::runtime_error(bounded(message)), where_(std::move(where)) {
  if (where_.column > 0 && !source_line.empty()) excerpt_ = picture(source_line, where_.column);
}

std::string Error::diagnostic() const {
  std::string text = where_.to_string();
  if (!text.empty()) text += ": ";
  text += what();
  if (!excerpt_.empty()) text += "\n" + excerpt_;
  return text;
}

std::string_view line_around(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::size_t end = text.find('\n', offset);
  if (end == std::string_view::npos) end = text.size();
  return text.substr(begin, end - begin);
}

Error error_at(const std::string& file, std::string_view text, std::size_t offset,
               const std::string& message) {
  offset = std::min(offset, text.size());
  const std::string_view line = line_around(text, offset);
  const auto number = std::count(text.begin(), text.begin() + offset, '\n') + 1;
  const auto column = text.data() + offset - line.data() + 1;
  return Error({file, static_cast<int>(number), static_cast<int>(column)}, message, line);
}

}  // namespace headway
