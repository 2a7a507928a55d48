// SPIR-V, as words or as text -> kernel IR: the compute entry points of a module, of Vulkan's kind
// (Shader) and of OpenCL's (Kernel). Calls are inlined and variables of threads become values;
// nothing that a program does is taken away. What cannot be read is said in Function::unsupported.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::spirv {

// By SpecId: what a specialization constant is to be. Booleans are 0 and 1; of a constant of reals
// the number is converted.
using Specialization = std::map<std::uint32_t, double>;

// Whether this headway can read SPIR-V at all is decided when it is built (HEADWAY_SPIRV).
// `path` names the file in messages. Throws headway::Error where `content` is no valid module, or
// has no entry point for compute.
Module read_module(std::string_view content, const std::string& path,
                   const Specialization& specialization = {});

}  // namespace headway::kernel::spirv
