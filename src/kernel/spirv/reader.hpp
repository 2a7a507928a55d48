// SPIR-V, as words or as text -> kernel IR: the compute entry points of a module, of Vulkan's kind
// (Shader) and of OpenCL's (Kernel). Calls are inlined and variables of threads become values;
// nothing that a program does is taken away. What cannot be read is said in Function::unsupported.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "kernel/ir/ir.hpp"
#include "kernel/spirv/source_language.hpp"
#include "kernel/spirv/specialization.hpp"

namespace headway::kernel::spirv {

struct ReadOptions {
  Specialization specialization;
  // For constants that are the size of a workgroup and that nobody gave otherwise.
  std::optional<std::array<std::uint32_t, 3>> group_size = {};
  SourceLanguage language = SourceLanguage::any;
};

// Whether this headway can read SPIR-V at all is decided when it is built (HEADWAY_SPIRV).
// `path` names the file in messages. Throws headway::Error where `content` is no valid module, or
// has no entry point for compute.
Module read_module(std::string_view content, const std::string& path,
                   const ReadOptions& options = {});

}  // namespace headway::kernel::spirv
