// Reads tests: headway's litmus format (docs/litmus-format.md), the format in which the tests of
// Sorensen et al. (OOPSLA 2021) are published, and the idiom language (docs/idiom-language.md). The
// content tells which of the three it is.
// Linear in the length of the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/test.hpp"

namespace headway::lang {

enum class Format { litmus, published, idiom };

// The format that `text` is in if it is a test at all. Throws headway::Error for a text with a NUL
// byte.
Format format_of(std::string_view text);

// Throws headway::Error, with the place in `file` and a picture of the line, for the first thing
// in `text` that is wrong. The text must be one test; a family of the idiom language that has
// several sizes is not.
Test parse(std::string_view text, const std::string& file);

// Numbers of threads.
struct Sizes {
  int fewest = 2;
  int most = 2;
};

// All tests of a text, one but for families of the idiom language: these have one a size, of
// those that the text declares or of `sizes`. Throws as parse() does, and when `sizes` are given
// for a test that has one size and is not among them.
std::vector<Test> parse_all(std::string_view text, const std::string& file,
                            const std::optional<Sizes>& sizes = {});

}  // namespace headway::lang
