// The languages that there are, and how a text finds its own. This is the one place where a
// language is registered.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/language.hpp"

namespace headway::lang {

// Languages in the order in which they are asked whether a text is theirs. At least one; the last
// is asked nothing. They must outlive this object.
class Languages {
 public:
  explicit Languages(std::vector<const Language*> languages) : languages_(std::move(languages)) {}

  const Language& of(const Token& first) const;

  // These and another one, which is asked first.
  Languages with(const Language& language) const;

 private:
  std::vector<const Language*> languages_;
};

// Those of headway: the idiom language (docs/reference/idiom-language.md), and AXB in headway's
// litmus format (docs/reference/litmus-format.md) or in the one of the tests published with
// Sorensen et al. (OOPSLA 2021).
const Languages& standard_languages();

// Throws headway::Error, with the place in `file` and a picture of the line, for the first thing
// in `text` that is wrong. The text must be one test; a family that has several sizes is not.
// Linear in the length of the text, as parse_all().
Test parse(std::string_view text, const std::string& file,
           const Languages& languages = standard_languages());

// All tests of a text, one but for families: these have one a size, of those that the text
// declares or of `sizes`. Throws as parse() does, and when `sizes` are given for a test that has
// one size and is not among them.
std::vector<Test> parse_all(std::string_view text, const std::string& file,
                            const std::optional<Sizes>& sizes = {},
                            const Languages& languages = standard_languages());

}  // namespace headway::lang
