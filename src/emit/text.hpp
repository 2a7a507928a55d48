// How emitted text is put together: formats of a dialect, lines, names.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace headway::emit {

// A format of a dialect, filled in.
template <class... Arguments>
std::string write(std::string_view format, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(format), arguments...);
}

// A line; a level of `depth` is two blanks.
inline std::string indented(int depth, const std::string& line) {
  return std::string(2 * static_cast<std::size_t>(depth), ' ') + line + "\n";
}

// A name behind a prefix, so that it is no keyword; `index` instead where underscores would make
// it a reserved name.
std::string identifier(const std::string& prefix, const std::string& name, int index);

// A text as a comment of one line may hold it in every target.
std::string printable(std::string text);

}  // namespace headway::emit
