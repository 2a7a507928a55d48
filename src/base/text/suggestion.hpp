// What somebody may have meant who mistyped a word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway {

// The one of `words` that takes the fewest insertions, deletions, replacements and swaps of
// neighbours (Damerau's distance, without edits of what was swapped) to come from `word`, whatever
// the case of letters; the first of several. Empty if it takes more than a third of the letters,
// and always more than one, to get there.
std::string closest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean 'check'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

}  // namespace headway
