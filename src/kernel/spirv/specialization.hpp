// What specialization constants are to be.
#pragma once

#include <cstdint>
#include <map>

namespace headway::kernel::spirv {

// By SpecId. Booleans are 0 and 1; for a constant of reals the number is converted.
using Specialization = std::map<std::uint32_t, double>;

}  // namespace headway::kernel::spirv
