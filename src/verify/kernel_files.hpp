// Kernel files as kernel IR: found in folders, compiled by clang, read by LLVM; and what the first
// lines of a file say of how its kernels are launched.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernel/clang/compile.hpp"
#include "kernel/ir/ir.hpp"
#include "verify/encoding/options.hpp"

namespace headway::verify {

// The files themselves, and those of folders that hold kernels (.cu, .cl, .ll, .bc), in order.
// Throws headway::Error where there is nothing.
std::vector<std::filesystem::path> kernel_files(const std::vector<std::string>& paths);

kernel::Module read_kernels(const std::filesystem::path& file, kernel::Compiler& compiler,
                            const kernel::CompileOptions& options);

// Comments with words that GPUVerify's command line has, in the first lines of a file:
// --blockDim=64, --blockDim=[8,8], --gridDim=..., --local_size=..., --num_groups=...,
// --global_size=.... What is not there stays as it was.
void read_launch(const std::filesystem::path& file, Launch& launch);

}  // namespace headway::verify
