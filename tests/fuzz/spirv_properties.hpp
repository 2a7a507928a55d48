// What holds for the reader of SPIR-V on any bytes. Shared by the fuzz target and by the test that
// replays its corpus.
#pragma once

#include <string_view>

namespace headway::fuzz {

// Bytes are a module whose functions are well-formed kernel IR or refused with a reason, or an
// error of one line of reasonable length. Throws std::logic_error otherwise.
void check_spirv(std::string_view bytes);

}  // namespace headway::fuzz
