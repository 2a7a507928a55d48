// What glslang makes of HLSL, with what HLSL says and glslang does not write: `c ? x : y`, `&&`
// and `||` evaluate the side that they take (HLSL 2021), and an atomic operation converts its
// operands. Qualifiers belong to variables, not to the type that glslang gives several of them.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace headway::kernel::spirv {

struct HlslModule {
  std::string words;
  bool chooses = false;  // whether accesses are left to the side that a choice takes
};

// `coherent` and `is_volatile` are the names of the buffers that are declared so. What is no module
// comes back as it is.
HlslModule as_hlsl(std::string_view module, const std::set<std::string>& coherent,
                   const std::set<std::string>& is_volatile);

}  // namespace headway::kernel::spirv
