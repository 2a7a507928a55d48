// Reads tests: headway's litmus format (docs/litmus-format.md) and the format in which the tests
// of Sorensen et al. (OOPSLA 2021) are published. The content tells which of the two it is.
// Linear in the length of the text.
#pragma once

#include <string>
#include <string_view>

#include "lang/test.hpp"

namespace headway::lang {

enum class Format { litmus, published };

// The format that `text` is in if it is a test at all. Throws headway::Error for a text with a NUL
// byte.
Format format_of(std::string_view text);

// Throws headway::Error, with the place in `file` and a picture of the line, for the first thing
// in `text` that is wrong.
Test parse(std::string_view text, const std::string& file);

}  // namespace headway::lang
