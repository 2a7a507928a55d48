// What a kernel does with integer arguments, as far as that says up to which sizes its arithmetic
// does not wrap around. It guides what is asked; answers are proved whatever it says.
#pragma once

#include <cstdint>
#include <set>

#include "kernel/ir/ir.hpp"

namespace headway::verify {

struct SizeUses {
  bool multiplies = false;         // an argument or a counter of a loop by something
  int factors = 0;                 // the most of them that are multiplied by each other
  std::set<std::size_t> divisors;  // parameters, by number
};
SizeUses size_uses(const kernel::Function& function);

// The largest power of two, 4096 at most, of which so many make no product of 2^31 or more.
std::int64_t plain_size(int factors);

}  // namespace headway::verify
