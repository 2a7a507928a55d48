#include "base/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "base/error.hpp"
#include "base/leftovers.hpp"

namespace headway {
namespace {

namespace fs = std::filesystem;

// Nobody locks the folder of a process that was killed. One that has just been made may not have
// its lock yet.
void remove_left_behind(const fs::path& place, std::string_view name) {
  constexpr std::time_t young = 60;  // seconds
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(place, ignored)) {
    if (!entry.path().filename().string().starts_with(name)) continue;
    const int folder = ::open(entry.path().c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    struct stat status = {};
    const bool ours = ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid() &&
                      status.st_mtime + young < std::time(nullptr);
    if (ours && ::flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), ignored);
    ::close(folder);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& place, std::string_view name) {
  remove_left_behind(place, name);
  std::string path = (place / (std::string(name) + "XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) throw Error("cannot create the folder " + path);
  path_ = path;
  leftovers::add_folder(path_);
  lock_ = ::open(path_.c_str(), O_DIRECTORY | O_CLOEXEC);
  ::flock(lock_, LOCK_EX);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  leftovers::drop_folder(path_);
  ::close(lock_);
}

}  // namespace headway
