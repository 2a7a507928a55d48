// Whether shaders are read as people write them: for GLSL and HLSL there has to be their compiler.
#pragma once

#include "base/process.hpp"
#include "kernel/test/sources.hpp"

namespace headway::testing {

inline bool compiles_shaders() {
  return kernel::reads_shaders() && !find_program("glslangValidator").empty();
}

}  // namespace headway::testing
