// Files of PTX, whatever made them -> kernel IR. Functions are inlined, registers become values,
// and numbers that are addresses pointers.
#pragma once

#include <string>
#include <string_view>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::ptx {

// `path` names the file in messages. What a kernel has that is not understood is said in
// Function::unsupported. Throws headway::Error, with a line, for what is no PTX. `fences_of_cpp` as
// of CompileOptions.
Module read_module(std::string_view text, const std::string& path, bool fences_of_cpp);

}  // namespace headway::kernel::ptx
