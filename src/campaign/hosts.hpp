// Running an emitted kernel through OpenCL or Vulkan. A driver may crash, and a kernel that hangs
// may hang whatever shares its process, so all of this belongs into a child process that does
// nothing else (campaign/runner.hpp) and releases nothing. A headway that was built without the
// headers of an interface throws headway::Error instead.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace headway::campaign {

struct HostDevice {
  std::string name;
  std::string driver;  // with its version
  std::string kind;    // "CPU", "GPU" or "other"
};

// What a kernel asks of the subgroups of a device; see emit/kernel.hpp.
struct HostSubgroups {
  int size = 0;  // threads of each; 0: it asks nothing
  bool fill = false;
  bool votes = false, shuffles = false;
};

struct HostJob {
  std::string kernel;      // OpenCL C, or the bytes of SPIR-V
  std::size_t device = 0;  // its place in the list of devices
  int workgroups = 1;      // of one launch
  int workgroup_size = 1;  // threads of each
  HostSubgroups subgroups;
  std::vector<std::uint32_t> memory;  // before a run
  int runs = 1;
};

struct HostEvents {
  std::function<void(const HostDevice&)> ready;  // the first run is about to begin
  std::function<void(double)> run;               // one terminated, within so many seconds
  // A launch ended with so many threads that had not come to their ends, as some drivers leave
  // loops that go on for too long. It says nothing about the test, and the run is repeated.
  std::function<void(int)> cut_short;
};

// The driver has ended a kernel, or the device is gone.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

// The devices of an interface; none when no driver is installed.
std::vector<HostDevice> opencl_devices();
std::vector<HostDevice> vulkan_devices();

// Runs a job. Never returns when the kernel hangs. Throws headway::Error, DeviceLost among others.
void run_opencl(const HostJob& job, const HostEvents& events);
void run_vulkan(const HostJob& job, const HostEvents& events);

}  // namespace headway::campaign
