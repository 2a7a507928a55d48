// A language in which tests are written: how to tell its texts, and how to read them. Each lives in
// a folder of its own; languages/languages.cpp is where those of headway are registered.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/scanner.hpp"
#include "lang/test.hpp"

namespace headway::lang {

// Numbers of threads, each once, the smallest first.
class Sizes {
 public:
  Sizes() = default;
  Sizes(int fewest, int most) { add(fewest, most); }

  void add(int fewest, int most) {
    for (int n = fewest; n <= most; ++n) numbers_.insert(n);
  }
  const std::set<int>& numbers() const { return numbers_; }

 private:
  std::set<int> numbers_;
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
