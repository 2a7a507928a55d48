// Pointers in memory that comes with a launch, as of structures that kernels are given by a
// pointer.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Of a parameter that is a pointer.
struct HeldPointers {
  std::vector<std::uint64_t> at;  // the function reads pointers so many bytes behind it; sorted
  bool of_elements = false;       // or there in elements behind the first one, too
  bool is_open = false;           // they may be null, or lead anywhere: then there are none in `at`
};
// By parameter. Pointers that the function may write, compares, or does anything with but go where
// they lead, are open.
std::vector<HeldPointers> held_pointers(const Function& function);

}  // namespace headway::kernel
