// What holds for every text as inline assembly. Shared by the fuzz target and by the test that
// replays its corpus.
#pragma once

#include <string_view>

namespace headway::fuzz {

// A text becomes code that is well formed, or is refused with a message of reasonable length.
// Throws std::logic_error otherwise. Whether it was read.
bool check_ptx(std::string_view text);

}  // namespace headway::fuzz
