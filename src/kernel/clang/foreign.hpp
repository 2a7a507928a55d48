// LLVM modules that another compiler has made of CUDA or OpenCL C, as `clang -emit-llvm` writes
// them. They call intrinsics of the NVPTX target, or OpenCL's functions by their mangled names;
// headers of ours define both, and are linked with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headway::kernel {

struct ForeignModule {
  std::string text;  // assembly, which says its target
  std::string triple;
  // The header that defines what it calls and how it is compiled, in a folder of our headers.
  // Empty if nothing is to be linked.
  std::string header;
  std::vector<std::string> flags;
};

// Of a module's assembly, with any target said in it, or nothing if it has kernels neither of
// NVPTX nor of SPIR.
//
// The updates that clang makes of CUDA's atomic functions are sequentially consistent in name
// alone: NVPTX's backend of LLVM 19 gives `atom` no order, as CUDA's text gives the functions none
// (CUDA C++ Programming Guide, "Atomic Functions"). They become relaxed.
std::optional<ForeignModule> foreign_module(std::string assembly);

}  // namespace headway::kernel
