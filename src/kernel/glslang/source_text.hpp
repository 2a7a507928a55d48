// What is written for other compilers of shaders, as glslang reads it.
#pragma once

#include <optional>
#include <string>

namespace headway::kernel::glslang {

// The text of a shader with every line at its place, and nothing where glslang reads it as it is:
// `#include` needs no extension, as for glslc; Godot's first line `#[compute]` is none; HLSL's
// `unsigned int` is `uint`.
std::optional<std::string> as_glslang_reads(const std::string& text, bool is_hlsl);

}  // namespace headway::kernel::glslang
