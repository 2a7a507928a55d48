#include "lang/awaited.hpp"

#include <fmt/format.h>

#include "base/bits/thread_ranges.hpp"

namespace headway::lang {

std::string Awaited::to_string() const {
  std::string text;
  const auto add = [&](ThreadSet awaited, std::string_view one, std::string_view more) {
    if (awaited.empty()) return;
    const bool several = awaited.size() > 1;
    text += fmt::format("{} {}{}{}", text.empty() ? " for" : ", and for",
                        several ? "threads " : "thread ", ranges(awaited), several ? more : one);
  };
  add(ended, ", which has ended", ", which have ended");
  add(elsewhere, ", which waits at another barrier", ", which wait at another barrier");
  add(inactive, ", which is not active", ", which are not active");
  add(coming, "", "");
  return text;
}

}  // namespace headway::lang
