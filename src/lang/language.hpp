// A language in which tests are written: how to tell its texts, and how to read them. Each lives in
// a folder of its own; languages/languages.cpp is where those of headway are registered.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/scanner.hpp"
#include "lang/test.hpp"

namespace headway::lang {

// Numbers of threads.
struct Sizes {
  int fewest = 2;
  int most = 2;
};

// Immutable.
class Language {
 public:
  virtual ~Language() = default;

  // "AXB"
  virtual std::string_view name() const = 0;
  // Whether a text whose first token is `first` may be of this language.
  virtual bool begins(const Token& first) const = 0;
  // All tests of a text: one, or of a family one a size, of those that it declares or of `sizes`.
  // `scanner` stands at the first token of `text`, which is that of `file`. Throws headway::Error
  // for the first thing that is wrong.
  virtual std::vector<Test> parse(Scanner& scanner, std::string_view text, const std::string& file,
                                  const std::optional<Sizes>& sizes) const = 0;
};

}  // namespace headway::lang
