#include "kernel/compiler_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "lang/test.hpp"

namespace headway::kernel {

Finished run_compiler(const std::vector<std::string>& command, const char* name,
                      const std::filesystem::path& file, std::chrono::milliseconds limit,
                      const std::atomic<bool>* interrupted) {
  Finished finished = run_process(command, limit, interrupted);
  if (finished.interrupted) throw lang::Undecided(file.string() + ": unknown: interrupted");
  if (finished.status == -1) {
    throw lang::Undecided(fmt::format(
        "{}: unknown: {} takes longer than {} s; a higher --timeout may decide it", file.string(),
        name, std::round(static_cast<double>(limit.count()) / 100) / 10));
  }
  return finished;
}

std::string named_program(const char* variable) {
  const char* named = std::getenv(variable);
  if (named == nullptr || *named == '\0') return {};
  std::string found = find_program(named);
  if (found.empty()) {
    throw Error(fmt::format("{} names {}, which is no program", variable, named));
  }
  return found;
}

std::string line_of(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i) {
    if (!std::getline(lines, line)) return {};
  }
  return line;
}

MemoryFile::MemoryFile(std::string_view content)
    : file_(::memfd_create("headway-kernel", MFD_CLOEXEC)) {
  if (file_ < 0) throw Error("cannot create a file in memory");
  while (!content.empty()) {
    const ssize_t put = ::write(file_, content.data(), content.size());
    if (put <= 0) {
      ::close(file_);
      throw Error("cannot write a file in memory");
    }
    content.remove_prefix(static_cast<std::size_t>(put));
  }
}

MemoryFile::~MemoryFile() { ::close(file_); }

std::string MemoryFile::name() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), file_); }

std::string MemoryFile::content() const {
  std::string all;
  char buffer[1 << 16];
  for (ssize_t count;
       (count = ::pread(file_, buffer, sizeof buffer, static_cast<off_t>(all.size()))) > 0;) {
    all.append(buffer, static_cast<std::size_t>(count));
  }
  return all;
}

}  // namespace headway::kernel
