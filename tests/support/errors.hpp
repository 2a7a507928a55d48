// What a piece of code complains about.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/error.hpp"

namespace headway::testing {

// The Error that `action` throws, if it throws one.
template <class Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// "line:column: message" of it, or "no error"; lines count from behind the first `lines_before`.
template <class Action>
std::string complaint_of(Action action, int lines_before = 0) {
  const auto error = error_of(action);
  if (!error) return "no error";
  return fmt::format("{}:{}: {}", error->where().line - lines_before, error->where().column,
                     error->what());
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace headway::testing
