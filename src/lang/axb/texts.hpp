// What programs of AXB instructions have in common in what people read of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bits/field.hpp"
#include "lang/axb/code.hpp"

namespace headway::lang::axb {

// "m=1 f=0", of a field for each location.
std::string memory_text(const Code& code, const std::vector<Field>& memory,
                        const std::uint64_t* state);
// "reads m = 0, writes m = 1", of the access at `index` of a thread that finds `old`.
std::string access_text(const Code& code, const Instruction& access, int index, int old);

}  // namespace headway::lang::axb
