// What holds for the directives of every text. Shared by the fuzz target and by the test that
// replays its corpus.
#pragma once

#include <string_view>

namespace headway::fuzz {

// A text has directives of sizes, values and places that there are, or an error of reasonable
// length at a place that there is. Throws std::logic_error otherwise.
void check_directives(std::string_view text);

}  // namespace headway::fuzz
