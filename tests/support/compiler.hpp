// The compiler of kernels that tests share.
#pragma once

#include "kernel/clang/compile.hpp"

namespace headway::testing {

// It reads headway's headers once for all kernels that are compiled alike.
inline kernel::Compiler& shared_compiler() {
  static kernel::Compiler one;
  return one;
}

}  // namespace headway::testing
