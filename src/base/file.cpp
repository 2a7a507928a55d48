#include "base/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/error.hpp"

namespace headway {
namespace {

constexpr std::size_t kMaxTyped = std::size_t{1} << 20;  // bytes of a terminal

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ > STDERR_FILENO) ::close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error({path.string(), 0, 0}, what + ": " + std::strerror(errno));
}

// Removes what processes that were killed have left beside `path`: "path.tmp-PID-0".
void remove_left_behind(const std::filesystem::path& path) {
  const std::string start = path.filename().string() + ".tmp-";
  std::error_code ignored;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start)) continue;
    const long pid = std::strtol(name.c_str() + start.size(), nullptr, 10);
    const bool is_gone = pid > 0 && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
    if (is_gone) std::filesystem::remove(entry.path(), ignored);
  }
}

void find_below(const std::filesystem::path& folder, std::vector<std::filesystem::path>& found,
                std::vector<Error>& errors) {
  namespace fs = std::filesystem;
  std::error_code problem;
  for (fs::directory_iterator i(folder, problem), end; !problem && i != end; i.increment(problem)) {
    std::error_code ignored;
    const fs::file_type type = i->status(ignored).type();
    const bool is_link = i->is_symlink(ignored);
    if (type == fs::file_type::directory) {
      if (!is_link) find_below(i->path(), found, errors);
    } else if (type == fs::file_type::regular || is_link) {  // or a link to nothing
      found.push_back(i->path());
    }
  }
  if (problem) {
    errors.emplace_back(SourcePosition{folder.string(), 0, 0},
                        "cannot read this folder: " + problem.message());
  }
}

std::string read(const std::filesystem::path& path, std::size_t most) {
  // Not to wait for somebody who opens the other end of a pipe.
  const Descriptor in(path == "-" ? STDIN_FILENO
                                  : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.get() < 0) fail(path, "cannot open");
  // Devices such as /dev/zero never end.
  struct stat about {};
  if (::fstat(in.get(), &about) == 0 && S_ISCHR(about.st_mode)) most = std::min(most, kMaxTyped);
  std::string content;
  for (char block[1 << 16];;) {
    const ssize_t got = ::read(in.get(), block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) {
      pollfd data = {in.get(), POLLIN, 0};
      ::poll(&data, 1, -1);
      continue;
    }
    if (got < 0) fail(path, "cannot read");
    if (got == 0 && content.empty() && path != "-" && S_ISFIFO(about.st_mode)) {
      throw Error({path.string(), 0, 0}, "an empty pipe to which nobody writes");
    }
    if (got == 0) return content;
    content.append(block, static_cast<std::size_t>(got));
    if (content.size() > most) {
      throw Error({path.string(), 0, 0},
                  "larger than " + std::to_string(most >> 20) + " MiB; expected a text file");
    }
  }
}

}  // namespace

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               std::vector<Error>& errors) {
  std::vector<std::filesystem::path> found;
  find_below(folder, found, errors);
  std::sort(found.begin(), found.end());
  return found;
}

std::string read_file(const std::filesystem::path& path, std::size_t most) {
  static std::mutex mutex;
  static std::optional<std::string> kept;
  if (path != "-" && path != kStandardInput) return read(path, most);
  const std::lock_guard lock(mutex);
  if (!kept && path == "-") return read(path, most);
  if (!kept) kept = read("-", most);
  return *kept;
}

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)) {
  struct stat about {};
  const bool exists = ::stat(path_.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) {
    throw Error({path_.string(), 0, 0}, "is a folder; expected the name of a file");
  }
  if (exists && !S_ISREG(about.st_mode)) {
    in_place_ = true;
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) headway::fail(path_, "cannot open");
    return;
  }
  // A link stays, and what it leads to is replaced.
  std::error_code not_resolved;
  if (std::filesystem::is_symlink(path_, not_resolved) && exists) {
    const std::filesystem::path target = std::filesystem::canonical(path_, not_resolved);
    if (!not_resolved) path_ = target;
  }
  if (path_.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(path_.parent_path(), error);
    if (error) {
      throw Error({path_.string(), 0, 0}, "cannot create its folder: " + error.message());
    }
  }
  // Without a name at first, where the file system can do that: who is killed leaves nothing
  // behind.
  const std::string folder = path_.has_parent_path() ? path_.parent_path().string() : ".";
  if (::access("/proc/self/fd", X_OK) == 0) {  // through which it gets its name
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  }
  if (descriptor_ >= 0) return;
  remove_left_behind(path_);
  // Not mkstemp(): its files are private, and the user's umask can only be read by changing it.
  take_name([&](const char* name) {
    descriptor_ = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor_ >= 0;
  });
  if (descriptor_ < 0) headway::fail(path_, "cannot create");
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::take_name(const std::function<bool(const char*)>& take) {
  for (int attempt = 0;; ++attempt) {
    temporary_ =
        path_.string() + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    if (take(temporary_.c_str())) return;
    if (errno == EEXIST) continue;
    temporary_.clear();
    return;
  }
}

void NewFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor_, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) headway::fail(path_, "cannot write");
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

void NewFile::commit() { commit_as(path_); }

void NewFile::commit_as(const std::filesystem::path& path) {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (in_place_) {
    if (::close(descriptor) != 0) headway::fail(path, "cannot write");
    return;
  }
  const auto give_up = [&](const std::string& what) {
    const int reason = errno;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    errno = reason;
    headway::fail(path, what);
  };
  if (temporary_.empty()) {
    const std::string itself = "/proc/self/fd/" + std::to_string(descriptor);
    // A new file gets its name at once; only to replace one takes two steps, and a kill between
    // them leaves the first.
    if (::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      if (::close(descriptor) != 0) give_up("cannot write");
      return;
    }
    remove_left_behind(path);
    take_name([&](const char* name) {
      return ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    });
    if (temporary_.empty()) {
      const int reason = errno;
      ::close(descriptor);
      errno = reason;
      give_up("cannot create");
    }
  }
  if (::close(descriptor) != 0) give_up("cannot write");
  if (::rename(temporary_.c_str(), path.c_str()) != 0) give_up("cannot rename into place");
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  NewFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace headway
