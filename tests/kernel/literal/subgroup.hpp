// What the threads of a subgroup get that meet: as the CUDA programming guide and PTX have it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "kernel/ir/instruction.hpp"

namespace headway::testing::literal {

// The operands of those who take part, by lane.
using Taking = std::map<int, std::array<std::uint64_t, 3>>;

// For the thread of one lane, of a subgroup of `size`; `value_bits` is the width of the first
// operand. Nothing where what it asks for is a lane that takes no part. Throws std::runtime_error
// for what it does not know.
std::optional<std::uint64_t> given_to(int lane, const kernel::Instruction& i, int value_bits,
                                      int size, const Taking& all);

// The number of operands in front of the mask.
std::size_t operands_before_mask(kernel::Subgroup operation);

}  // namespace headway::testing::literal
