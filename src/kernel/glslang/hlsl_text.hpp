// What is asked of the preprocessed text of a shader in HLSL, as glslang's modules do not have it
// or have it wrong.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headway::kernel::glslang {

// The names of its entry points, which are the functions with [numthreads(X, Y, Z)], each once.
// Throws headway::Error for an attribute that compilers of HLSL read and glslang does not.
std::vector<std::string> entry_points(std::string_view text);

// The variables that are declared `globallycoherent` and `volatile`, with their namespaces.
// glslang has one type for the buffers of one type of element, and with it the qualifiers of the
// first of them. `sized_in_bytes`: the names of the byte address buffers, parameters among them,
// that GetDimensions is asked of.
struct Qualified {
  std::set<std::string> coherent, is_volatile, sized_in_bytes;
};

// Throws headway::Error, with `file` for its place, where buffers are handed to functions and are
// not all declared alike: which qualifiers an access has then is not known.
Qualified qualified(std::string_view text, const std::filesystem::path& file);

}  // namespace headway::kernel::glslang
