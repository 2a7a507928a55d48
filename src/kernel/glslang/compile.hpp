// From GLSL and HLSL to SPIR-V: glslangValidator runs as a child, for Vulkan, with lines, and
// optimizes nothing. Takes its time. Can be used by several threads at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "kernel/glslang/hlsl_text.hpp"

namespace headway::kernel::glslang {

struct Options {
  std::vector<std::string> flags;  // a user's: -D, -U and -I are passed on
  std::chrono::milliseconds limit{120'000};
  const std::atomic<bool>* interrupted = nullptr;
  std::filesystem::path input = {};  // what glslang reads, where that is not the file
};

// The words of a module, and whether the shader is one for OpenGL, whose uniforms and bindings get
// their places from glslang.
struct Glsl {
  std::string words;
  bool is_of_opengl = false;
};

// Of HLSL a module for each entry point, which are the functions with [numthreads(X, Y, Z)], in
// their order.
struct Hlsl {
  std::vector<std::string> modules;
  Qualified qualified;
};

// The words of a compute shader; of HLSL as its optimizer finds them (Rules::hlsl in
// spirv/mend.hpp). Throws headway::Error with glslang's own message at its place, where it leaves
// something out without an error, and for a glslangValidator that is missing with the package that
// has it; lang::Undecided when the time is over, or after an interruption. HEADWAY_GLSLANG in the
// environment names another one.
Glsl compile_glsl(const std::filesystem::path& file, const Options& options);
Hlsl compile_hlsl(const std::filesystem::path& file, const Options& options);

}  // namespace headway::kernel::glslang
