#include "base/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

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

// What a control group leaves, of which one file holds the limit and one what is taken.
std::size_t left_by_group(const char* limit_file, const char* used_file) {
  const std::size_t limit = number_in(limit_file);
  if (limit >= kUnknown) return kUnknown;
  const std::size_t used = number_in(used_file);
  return limit > used ? limit - used : 0;
}

// What `ulimit -v` leaves. Half of it, as address space also goes to the stacks and the reserves of
// threads, which take no memory until they are used.
std::size_t left_by_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const auto most = static_cast<std::size_t>(limit.rlim_cur);
  const std::size_t pages = number_in("/proc/self/statm");
  const std::size_t used =
      pages >= kUnknown ? 0 : pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return most > used ? (most - used) / 2 : 0;
}

}  // namespace

std::size_t available_memory() {
  return std::min({machine_available(),
                   left_by_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
                   left_by_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                 "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
                   left_by_address_space()});
}

}  // namespace headway
