// What glslang makes of HLSL, with what HLSL says and glslang does not write: `c ? x : y`, `&&`
// and `||` evaluate the side that they take (HLSL 2021), and an atomic operation converts its
// operands. Qualifiers belong to variables, not to the type that glslang gives several of them.
// What it writes as no module may have it is put right: any() and all() of one truth, mad() of
// integers, and the length of a byte address buffer, which HLSL has in bytes.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace headway::kernel::spirv {

struct HlslModule {
  std::string words;
  bool chooses = false;  // whether accesses are left to the side that a choice takes
  std::string refused;   // what it cannot be read for, in words; empty: nothing
};

// `coherent` and `is_volatile` are the names of the buffers that are declared so, `sized_in_bytes`
// of those whose length is asked for in bytes. What is no module comes back as it is.
HlslModule as_hlsl(std::string_view module, const std::set<std::string>& coherent,
                   const std::set<std::string>& is_volatile,
                   const std::set<std::string>& sized_in_bytes);

}  // namespace headway::kernel::spirv
