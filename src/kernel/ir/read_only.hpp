// Reads by a way that no store reaches, as `__ldg` (ld.global.nc): what they read may not be
// written while the kernel runs (PTX ISA, "ld.global.nc").
#pragma once

#include <optional>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

struct ReadOnlyRead {
  ValueId pointer;
  Place place;
};

// The first of these reads of a parameter or variable that the function writes, anywhere: the
// addresses may be others, which is not looked at. Those of unknown pointers are left out.
std::optional<Place> read_of_written(const Function& function,
                                     const std::vector<ReadOnlyRead>& reads);

}  // namespace headway::kernel
