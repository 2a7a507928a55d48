// What rules about the sources read of them.
#pragma once

#include <string>
#include <vector>

namespace headway::testing {

struct Include {
  std::string path;
  bool quoted;  // with "", not with <>
  int line;
};

// In the order in which they stand, each on a line of its own.
std::vector<Include> includes_of(const std::string& text);

// Whether a name or a number may have it.
bool is_word(char c);

// The text without comments and what stands in quotes, also over several lines.
std::string code_of(const std::string& text);

}  // namespace headway::testing
