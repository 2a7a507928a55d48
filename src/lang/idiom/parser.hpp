// Reads programs of the idiom language (docs/reference/idiom-language.md). Linear in the length of
// the text.
#pragma once

#include "base/text/scanner.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::lang::idiom {

// Whether a text that begins with `first` is one of this language.
bool begins_program(const Token& first);

// Throws headway::Error for the first thing in the text that is wrong for every N; `text` is what
// the scanner reads, of the file `file`.
Syntax parse(Scanner& scanner, std::string_view text, const std::string& file);

}  // namespace headway::lang::idiom
