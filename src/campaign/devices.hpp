// The devices that tests can be run on.
#pragma once

#include <string>
#include <vector>

#include "campaign/results.hpp"
#include "emit/emit.hpp"

namespace headway::campaign {

// The targets that headway runs tests on.
inline constexpr emit::Target kRunTargets[] = {emit::Target::cpp, emit::Target::opencl,
                                               emit::Target::vulkan, emit::Target::cuda};

struct FoundDevice {
  Device device;
  std::string kind;       // "CPU", "GPU" or "other"
  std::size_t index = 0;  // among the devices of the target
};

struct FoundDevices {
  emit::Target target = emit::Target::cpp;
  std::vector<FoundDevice> devices;
  std::string problem;  // why there is none, or why none can be used; empty when all is well
};

// The devices of one of kRunTargets. `headway` is the path of headway itself, which is started
// to ask drivers, as they may crash.
FoundDevices find_devices(emit::Target target, const std::string& headway);

// What was found, as JSON: an object a target, with its devices and its problem.
std::string print_devices(const std::vector<FoundDevices>& found);

// The first device whose name has `part` in it, small and capital letters being equal; when `part`
// is empty the first GPU, or else the first device. Throws headway::Error when there is none.
const FoundDevice& choose_device(const FoundDevices& found, const std::string& part);

// The programs that the targets need: the C++ compiler that CXX names, or else c++; nvcc;
// glslangValidator. Empty when there is none.
std::string cpp_compiler();
std::string cuda_compiler();
std::string glsl_compiler();

}  // namespace headway::campaign
