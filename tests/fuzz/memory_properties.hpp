// What holds for every text as a memory model or a litmus test of memory. Throws std::logic_error
// when it does not; bad input is no violation.
#pragma once

#include <string_view>

namespace headway::fuzz {

// A text is refused with a message of reasonable length, or it is a model that says something of
// an execution, or a test that has outcomes under sequential consistency within limits.
void check_memory(std::string_view text);

}  // namespace headway::fuzz
