// Litmus tests as programs for devices: one target a language. What is emitted runs all instances
// of a test once a launch and terminates when every thread of every instance does. Words that count
// finished workgroups count their threads where there are several.
#pragma once

#include <string>
#include <string_view>

#include "emit/kernel.hpp"
#include "emit/target.hpp"

namespace headway::emit {

// The file that runs `kernel` on `target`. Lines end in '\n'. Throws headway::Error, with the
// reason, for a kernel that the target cannot say.
std::string emit(const Kernel& kernel, Target target);

// One file a target, each for a kernel that it can say:
// C++20 threads and POSIX, a whole program.
std::string emit_cpp(const Kernel& kernel);
// CUDA C++, a whole program.
std::string emit_cuda(const Kernel& kernel);
// An OpenCL C 1.2 kernel, "litmus": arguments are the memory and a word that counts the workgroups
// that have finished. INSTANCES can be defined to another number.
std::string emit_opencl(const Kernel& kernel);
// A GLSL compute shader for Vulkan: storage buffers at bindings 0, the memory, and 1, the count;
// specialization constant 0 is the number of instances.
std::string emit_vulkan(const Kernel& kernel);
// An AmberScript around the same shader.
std::string emit_amber(const Kernel& kernel);
// A Metal kernel, "litmus": buffers 0 and 1 as above.
std::string emit_metal(const Kernel& kernel);
// A WGSL compute shader, "main": storage buffers at bindings 0 and 1 of group 0 as above, and at
// binding 2 a word that says whether a thread gave up after STEP_LIMIT steps; INSTANCES and
// STEP_LIMIT are overrides.
std::string emit_webgpu(const Kernel& kernel);

}  // namespace headway::emit
