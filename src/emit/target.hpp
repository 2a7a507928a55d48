// The languages that tests are written in for devices.
#pragma once

#include <cstdint>
#include <string>

namespace headway::emit {

enum class Target { cpp, cuda, opencl, vulkan, amber, metal, webgpu };
inline constexpr Target kTargets[] = {Target::cpp,   Target::cuda,  Target::opencl, Target::vulkan,
                                      Target::amber, Target::metal, Target::webgpu};
// "cpp", "cuda", ...
std::string to_string(Target target);
// ".cpp", ".cu", ".cl", ".comp", ".amber", ".metal" or ".wgsl".
std::string extension(Target target);

}  // namespace headway::emit
