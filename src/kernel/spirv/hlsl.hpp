// What glslang makes of HLSL, with what HLSL says and glslang does not write: `c ? x : y`, `&&`
// and `||` evaluate the side that they take (HLSL 2021), and an atomic operation converts its
// operands.
#pragma once

#include <string>
#include <string_view>

namespace headway::kernel::spirv {

struct HlslModule {
  std::string words;
  bool chooses = false;  // whether accesses are left to the side that a choice takes
};

// What is no module comes back as it is.
HlslModule as_hlsl(std::string_view module);

}  // namespace headway::kernel::spirv
