// What may go wrong with a launch that goes right here: by what compilers do, by how devices
// schedule threads, or with other arguments.
#pragma once

#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "kernel/test/analysis.hpp"

namespace headway::kernel {

// Of a launch that has been analysed, from `file`; with the lines of its text.
std::vector<Error> warnings(const Analysis& analysis, const std::filesystem::path& file);

}  // namespace headway::kernel
