// From GLSL and HLSL to SPIR-V: glslangValidator runs as a child, for Vulkan, with lines, and
// optimizes nothing, unless asked to. Takes its time. Can be used by several threads at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headway::kernel::glslang {

struct Options {
  std::vector<std::string> flags;  // a user's: -D, -U and -I are passed on
  std::chrono::milliseconds limit{120'000};
  const std::atomic<bool>* interrupted = nullptr;
  std::filesystem::path input = {};  // what glslang reads, where that is not the file
};

// The words of a compute shader; of HLSL a module for each entry point, which are the functions
// with [numthreads(X, Y, Z)], in their order. Some are no modules of Vulkan before its optimizer
// has been over them, as those that hand images to functions. Throws headway::Error with glslang's
// own message at its place, and for a glslangValidator that is missing with the package that has
// it; lang::Undecided when the time is over, or after an interruption. HEADWAY_GLSLANG in the
// environment names another one.
std::string compile_glsl(const std::filesystem::path& file, const Options& options);
std::vector<std::string> compile_hlsl(const std::filesystem::path& file, const Options& options,
                                      bool optimized);

// Of a preprocessed text: the names of its entry points, each once. Throws headway::Error for an
// attribute that compilers of HLSL read and glslang does not.
std::vector<std::string> entry_points(std::string_view text);

}  // namespace headway::kernel::glslang
