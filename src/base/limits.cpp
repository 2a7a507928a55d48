#include "base/limits.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace headway {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max() / 4;

// The number a file holds first; kUnknown where there is no such file or it says "max".
std::size_t number_in(const char* path) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : kUnknown;
}

std::size_t machine_available() {
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string key;
    std::size_t kibibytes = 0;
    if (words >> key >> kibibytes && key == "MemAvailable:") return kibibytes * 1024;
  }
  return kUnknown;
}

}  // namespace

std::size_t available_memory() {
  std::size_t available = machine_available();
  const std::size_t group = number_in("/sys/fs/cgroup/memory.max");
  if (group != kUnknown) {
    const std::size_t used = number_in("/sys/fs/cgroup/memory.current");
    available = std::min(available, group > used ? group - used : 0);
  }
  return available;
}

}  // namespace headway
