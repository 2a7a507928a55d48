// Whether shaders are read as people write them: for GLSL and HLSL there has to be their compiler,
// and for WGSL naga and what it runs in.
#pragma once

#include "base/process.hpp"
#include "kernel/naga/compile.hpp"
#include "kernel/test/sources.hpp"

namespace headway::testing {

inline bool compiles_shaders() {
  return kernel::reads_shaders() && !find_program("glslangValidator").empty();
}

inline bool compiles_wgsl() {
  return kernel::reads_shaders() && kernel::naga::is_built_in() && !find_program("node").empty();
}

}  // namespace headway::testing
