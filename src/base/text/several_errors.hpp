// What a parser found wrong at several places of a text: an Error that is the first of them and
// carries all.
#pragma once

#include <utility>
#include <vector>

#include "base/text/scanner.hpp"

namespace headway {

class SeveralErrors : public Error {
 public:
  // At least one.
  explicit SeveralErrors(std::vector<Error> errors)
      : Error(errors.front()), errors_(std::move(errors)) {}

  const std::vector<Error>& errors() const { return errors_; }

 private:
  std::vector<Error> errors_;
};

inline constexpr std::size_t kMaxErrors = 20;  // that a file is read on for

// Whether an error is that a semicolon is missing in front of `next`, which is in another line and
// so begins what comes behind.
inline bool lacks_semicolon(const Error& error, const Token& next) {
  return std::string_view(error.what()).starts_with("expected ';'") &&
         next.line > error.where().line;
}

// All that an Error carries.
inline std::vector<Error> each_of(const Error& error) {
  const auto* several = dynamic_cast<const SeveralErrors*>(&error);
  return several != nullptr ? several->errors() : std::vector<Error>{error};
}

}  // namespace headway
