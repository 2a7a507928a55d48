// From GLSL and HLSL to SPIR-V: glslangValidator runs as a child, for Vulkan, with lines, and
// optimizes nothing. Takes its time. Can be used by several threads at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace headway::kernel::glslang {

struct Options {
  std::vector<std::string> flags;  // a user's: -D, -U and -I are passed on
  std::chrono::seconds limit{120};
  const std::atomic<bool>* interrupted = nullptr;
};

// The words of a compute shader. Throws headway::Error with glslang's own message at its place, for
// a glslangValidator that is missing with the package that has it, and when the time is over.
// HEADWAY_GLSLANG in the environment names another one.
std::string compile(const std::filesystem::path& file, bool is_hlsl, const Options& options);

}  // namespace headway::kernel::glslang
