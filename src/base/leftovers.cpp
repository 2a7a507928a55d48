#include "base/leftovers.hpp"

#include <csignal>
#include <mutex>
#include <set>

namespace headway::leftovers {
namespace {

struct Leftovers {
  std::mutex mutex;
  std::set<std::filesystem::path> folders;
  std::set<pid_t> groups;
};

// Never destroyed: threads may still run when the process ends.
Leftovers& all() {
  static auto* const leftovers = new Leftovers;
  return *leftovers;
}

}  // namespace

void add_folder(const std::filesystem::path& folder) {
  const std::lock_guard lock(all().mutex);
  all().folders.insert(folder);
}

void drop_folder(const std::filesystem::path& folder) {
  const std::lock_guard lock(all().mutex);
  all().folders.erase(folder);
}

void add_group(pid_t leader) {
  const std::lock_guard lock(all().mutex);
  all().groups.insert(leader);
}

void drop_group(pid_t leader) {
  const std::lock_guard lock(all().mutex);
  all().groups.erase(leader);
}

void remove_all() {
  all().mutex.lock();  // for good
  for (const pid_t leader : all().groups) ::kill(-leader, SIGKILL);
  for (const std::filesystem::path& folder : all().folders) {
    std::error_code ignored;
    // Again where a child that was just killed has written meanwhile.
    for (int attempt = 0; attempt < 3 && std::filesystem::exists(folder, ignored); ++attempt)
      std::filesystem::remove_all(folder, ignored);
  }
}

}  // namespace headway::leftovers
