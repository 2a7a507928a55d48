// Integers as kernel IR has them, written anew: nothing of src/kernel/ir/arithmetic is used.
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/ir/instruction.hpp"

namespace headway::testing::literal {

std::uint64_t cut(std::uint64_t bits, int width);
__int128 as_signed(std::uint64_t bits, int width);

// Nothing where it divides by zero. Throws std::runtime_error for what it does not know.
std::optional<std::uint64_t> computed(kernel::Op op, int width, std::uint64_t a, std::uint64_t b);
std::uint64_t updated(kernel::Update what, int width, std::uint64_t old, std::uint64_t by);

}  // namespace headway::testing::literal
