// Kernels that a compiler leaves out: templates of which a file has no instance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Names of the templates of kernels in a text of CUDA of which `module`, its device side, has
// nothing. What the preprocessor takes out counts as text.
std::vector<std::string> without_instance(std::string_view text, const Module& module);

// What to do where there is no other kernel.
inline constexpr const char* kInstanceAdvice =
    "'template __global__ void k<int>(int*);' at the end of the file, with its own name, types and "
    "parameters, makes one";

std::string template_note(const std::string& name);

}  // namespace headway::kernel
