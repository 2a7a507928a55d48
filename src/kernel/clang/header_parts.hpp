// Parts of our headers that are long or seldom used: read when the text has a word that asks for
// it, or when it includes files or makes words that nobody has looked at.
#pragma once

#include <string>
#include <vector>

namespace headway::kernel {

// Whether any of the words is in a text.
bool has_word(const std::string& text, const std::vector<const char*>& words);

// What tells clang to read the parts that a text wants, or all.
std::vector<std::string> cuda_parts_for(const std::string& text, bool all);
std::vector<std::string> opencl_parts_for(const std::string& text, bool all);

}  // namespace headway::kernel
