// What a piece of code complains about.
#pragma once

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

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace headway::testing
