// What naga makes of WGSL, with what SPIR-V has and naga does not write: lines, workgroup variables
// that are zero before any thread starts, and the scope that WGSL gives its barriers.
#pragma once

#include <string>
#include <string_view>

namespace headway::kernel::spirv {

struct Marks {
  // A function that is called with the line of each function first, and then with that of each
  // statement (naga/statements.hpp); it goes.
  std::string line;
  // One that is called for subgroupElect(); or empty.
  std::string elect;
};

// Throws headway::Error for what is no module.
std::string as_wgsl(std::string_view module, const std::string& path, const Marks& marks);

}  // namespace headway::kernel::spirv
