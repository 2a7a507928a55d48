// Reads programs of the idiom language (docs/idiom-language.md). Linear in the length of the text.
#pragma once

#include "lang/idiom/syntax.hpp"
#include "lang/scanner.hpp"

namespace headway::lang::idiom {

// Limits that the parser and the compiler keep.
inline constexpr int kMaxDepth = 64;      // of expressions and statements in each other
inline constexpr int kMaxRegisters = 32;  // of a thread, with the compiler's own
inline constexpr int kMaxVariables = 64;
inline constexpr int kMaxCells = 250;  // of all variables together
inline constexpr int kMaxConstants = 64;
inline constexpr int kMaxLabels = 64;                    // of a thread
inline constexpr int kMaxStatements = 1000;              // of a thread
inline constexpr std::int64_t kMaxNumber = 999'999'999;  // that can be written
inline constexpr std::int64_t kMaxValue = 1'000'000;     // that a range can hold, and its negative
inline constexpr std::int64_t kMaxRange = 60'000;        // values of a range

// Whether a text that begins with `first` is one of this language.
bool begins_program(const Token& first);

// Throws headway::Error for the first thing in the text that is wrong for every N; `text` is what
// the scanner reads, of the file `file`.
Syntax parse(Scanner& scanner, std::string_view text, const std::string& file);

}  // namespace headway::lang::idiom
