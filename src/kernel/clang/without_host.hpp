// The kernels of a CUDA file whose host code needs what is not here.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "kernel/clang/compile.hpp"

namespace headway::kernel {

struct DeviceCode {
  std::string module;      // as Compiler::compile() gives it
  CompileOptions options;  // with the text that was compiled, where it is not that of the file
  std::string missing;     // HostParts::what_is_missing()
};

// The device's side of a file, as a last resort without what stands in the way of its host's side
// alone. Throws what Compiler::compile() does, about the whole file.
DeviceCode compile_device(Compiler& compiler, const std::filesystem::path& file,
                          const CompileOptions& options);

// Why a CUDA file of kernels is no program here: its host asks for headers that are not here, and
// does not compile. Nothing for other files.
std::optional<Error> why_kernels_alone(Compiler& compiler, const std::filesystem::path& file,
                                       const CompileOptions& options);

}  // namespace headway::kernel
