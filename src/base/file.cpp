#include "base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace headway {
namespace {

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

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const Descriptor in(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) fail(path, "cannot open");
  std::string content;
  for (char block[1 << 16];;) {
    const ssize_t got = ::read(in.get(), block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot read");
    if (got == 0) return content;
    content.append(block, static_cast<std::size_t>(got));
    if (content.size() > kMaxInputBytes) {
      throw Error({path.string(), 0, 0}, "larger than 64 MiB; expected a text file");
    }
  }
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::error_code ignored;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  std::string temporary = path.string() + ".XXXXXX";
  const Descriptor out(::mkstemp(temporary.data()));
  if (out.get() < 0) fail(path, "cannot create");
  const auto give_up = [&](const std::string& what) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    fail(path, what);
  };
  for (std::string_view rest = content; !rest.empty();) {
    const ssize_t put = ::write(out.get(), rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) give_up("cannot write");
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(out.get(), 0666 & ~mask) != 0) give_up("cannot set permissions");
  if (::fsync(out.get()) != 0 && errno != EINVAL) give_up("cannot write");
  if (::rename(temporary.c_str(), path.c_str()) != 0) give_up("cannot rename into place");
}

}  // namespace headway
