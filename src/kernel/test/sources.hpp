// A file of kernels, whatever it is written in, as a module: CUDA, OpenCL C and LLVM through clang
// and libLLVM, shaders through glslang, naga and SPIRV-Tools.
#pragma once

#include <filesystem>

#include "kernel/clang/compile.hpp"
#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Whether this headway was built with SPIRV-Tools.
bool reads_shaders();

// Throws headway::Error for what cannot be read or compiled.
Module read_source(const std::filesystem::path& file, Side side, const CompileOptions& options,
                   Compiler& compiler);

}  // namespace headway::kernel
