#include "campaign/devices.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/process.hpp"

namespace headway::campaign {
namespace {

using namespace std::chrono_literals;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The model of the processor, or its architecture where the system does not tell more.
std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return trimmed(line.substr(line.find(':') + 1));
  }
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : "CPU";
}

// What is the same for all devices of a machine.
std::map<std::string, std::string> machine() {
  std::map<std::string, std::string> details;
  details["processor"] = cpu_name();
  details["cores"] = std::to_string(std::thread::hardware_concurrency());
  utsname system{};
  if (::uname(&system) == 0) {
    details["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  }
  return details;
}

// Who makes a device, as far as its name and driver tell.
std::string vendor_of(const std::string& name, const std::string& driver) {
  const std::string text = lower(name + " " + driver);
  for (const auto& [word, vendor] :
       std::initializer_list<std::pair<const char*, const char*>>{{"nvidia", "NVIDIA"},
                                                                  {"geforce", "NVIDIA"},
                                                                  {"tegra", "NVIDIA"},
                                                                  {"radeon", "AMD"},
                                                                  {"amd", "AMD"},
                                                                  {"adreno", "Qualcomm"},
                                                                  {"qualcomm", "Qualcomm"},
                                                                  {"mali", "Arm"},
                                                                  {"apple", "Apple"},
                                                                  {"powervr", "Imagination"},
                                                                  {"intel", "Intel"},
                                                                  {"llvmpipe", "Mesa"}}) {
    if (text.find(word) != std::string::npos) return vendor;
  }
  return {};
}

void add(FoundDevices& found, const std::string& name, const std::string& driver,
         const std::string& kind) {
  std::map<std::string, std::string> details = machine();
  if (const std::string vendor = vendor_of(name, driver); !vendor.empty()) {
    details["vendor"] = vendor;
  }
  found.devices.push_back(
      {{name, driver, to_string(found.target), std::move(details)}, kind, found.devices.size()});
}

void find_cpp(FoundDevices& found) {
  const std::string compiler = cpp_compiler();
  if (compiler.empty()) {
    found.problem = "no C++ compiler: there is no c++ in PATH, and CXX does not name one";
    return;
  }
  const Finished version = run_process({compiler, "--version"}, 30s);
  add(found, cpu_name(), first_line(version.output), "CPU");
}

void find_cuda(FoundDevices& found) {
  const std::string smi = find_program("nvidia-smi");
  if (smi.empty()) {
    found.problem = "no NVIDIA driver: there is no nvidia-smi in PATH";
    return;
  }
  const Finished list =
      run_process({smi, "--query-gpu=name,driver_version", "--format=csv,noheader"}, 30s);
  std::istringstream lines(list.output);
  if (list.status == 0) {
    for (std::string line; std::getline(lines, line);) {
      const std::size_t comma = line.rfind(',');
      if (comma == std::string::npos) continue;
      add(found, trimmed(line.substr(0, comma)), "NVIDIA " + trimmed(line.substr(comma + 1)),
          "GPU");
    }
  }
  if (found.devices.empty()) {
    found.problem = "nvidia-smi finds no device";
  } else if (cuda_compiler().empty()) {
    found.problem = "no CUDA compiler: there is no nvcc in PATH nor in /usr/local/cuda/bin";
  }
}

// OpenCL and Vulkan, through a process of our own.
void find_hosted(FoundDevices& found, const std::string& headway) {
  const bool vulkan = found.target == emit::Target::vulkan;
  const Finished list = run_process({headway, "host", to_string(found.target), "--list"}, 60s);
  std::istringstream lines(list.output);
  const auto value = [](const std::string& line, const std::string& key) {
    return line.starts_with(key + ": ") ? line.substr(key.size() + 2) : "";
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("device:")) add(found, value(line, "device"), "", "other");
    if (found.devices.empty()) continue;
    if (line.starts_with("driver:")) found.devices.back().device.driver = value(line, "driver");
    if (line.starts_with("kind:")) found.devices.back().kind = value(line, "kind");
  }
  if (list.status != 0) {
    found.problem = list.complaint.empty() ? "asking for devices failed: a driver crashed or hung"
                                           : list.complaint;
    const std::string prefix = "headway: ";
    if (found.problem.starts_with(prefix)) found.problem.erase(0, prefix.size());
  } else if (found.devices.empty()) {
    found.problem = vulkan ? "no Vulkan driver (Debian: mesa-vulkan-drivers has one for CPUs)"
                           : "no OpenCL driver (Debian: pocl-opencl-icd has one for CPUs)";
  } else if (vulkan && glsl_compiler().empty()) {
    found.problem =
        "no GLSL compiler: there is no glslangValidator in PATH (Debian: glslang-tools)";
  }
}

}  // namespace

FoundDevices find_devices(emit::Target target, const std::string& headway) {
  FoundDevices found;
  found.target = target;
  if (target == emit::Target::cpp) {
    find_cpp(found);
  } else if (target == emit::Target::cuda) {
    find_cuda(found);
  } else {
    find_hosted(found, headway);
  }
  return found;
}

std::string print_devices(const std::vector<FoundDevices>& found) {
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const FoundDevices& target : found) {
    nlohmann::ordered_json devices = nlohmann::ordered_json::array();
    for (const FoundDevice& device : target.devices) {
      devices.push_back({{"name", device.device.name},
                         {"driver", device.device.driver},
                         {"kind", device.kind},
                         {"details", device.device.details}});
    }
    document.push_back({{"target", to_string(target.target)}, {"devices", devices}});
    if (!target.problem.empty()) document.back()["problem"] = target.problem;
  }
  // A driver may call itself anything.
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

const FoundDevice& choose_device(const FoundDevices& found, const std::string& part) {
  if (!found.problem.empty()) throw Error(to_string(found.target) + ": " + found.problem);
  const auto& devices = found.devices;
  const auto chosen = std::find_if(devices.begin(), devices.end(), [&](const FoundDevice& device) {
    return part.empty() ? device.kind == "GPU"
                        : lower(device.device.name).find(lower(part)) != std::string::npos;
  });
  if (chosen != devices.end()) return *chosen;
  if (part.empty()) return devices.front();
  std::string names;
  for (const FoundDevice& device : devices) {
    names += (names.empty() ? "" : ", ") + device.device.name;
  }
  throw Error(fmt::format("{}: no device has '{}' in its name; there is {}",
                          to_string(found.target), part, names));
}

std::string cpp_compiler() {
  const char* named = std::getenv("CXX");
  return find_program(named != nullptr && *named != '\0' ? named : "c++");
}

std::string cuda_compiler() {
  const std::string found = find_program("nvcc");
  return found.empty() ? find_program("/usr/local/cuda/bin/nvcc") : found;
}

std::string glsl_compiler() { return find_program("glslangValidator"); }

}  // namespace headway::campaign
