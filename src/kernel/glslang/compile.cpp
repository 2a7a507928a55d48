#include "kernel/glslang/compile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"

namespace headway::kernel::glslang {
namespace {

namespace fs = std::filesystem;

std::string find_glslang() {
  const char* named = std::getenv("HEADWAY_GLSLANG");
  if (named != nullptr && *named != '\0') {
    std::string found = find_program(named);
    if (found.empty()) {
      throw Error(fmt::format("HEADWAY_GLSLANG names {}, which is no program", named));
    }
    return found;
  }
  for (const char* name : {"glslangValidator", "glslang"}) {
    if (std::string found = find_program(name); !found.empty()) return found;
  }
  throw Error(
      "shaders are compiled with glslangValidator, which is not here (Debian: glslang-tools); "
      "HEADWAY_GLSLANG can name it");
}

// A file in memory that a child can write by its name, and that nobody has to remove.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("headway-shader", MFD_CLOEXEC)) {
    if (file_ < 0) throw Error("cannot create a file in memory");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string name() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), file_); }
  std::string content() const {
    std::string all;
    char buffer[1 << 16];
    for (ssize_t count;
         (count = ::pread(file_, buffer, sizeof buffer, static_cast<off_t>(all.size()))) > 0;) {
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  int file_;
};

std::string text_line(const fs::path& file, int number) {
  std::istringstream text;
  try {
    text.str(read_file(file));
  } catch (const Error&) {
    return {};
  }
  std::string line;
  for (int i = 0; i < number; ++i) {
    if (!std::getline(text, line)) return {};
  }
  return line;
}

// "ERROR: name:12: 'x' : undeclared identifier", the first of them.
Error shader_error(const std::string& output, int status, const fs::path& file, bool is_hlsl) {
  constexpr std::string_view mark = "ERROR: ";
  const std::string note =
      is_hlsl ? " (glslang reads HLSL in part; DXC's modules can be given)" : "";
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(mark)) continue;
    line.erase(0, mark.size());
    const std::string name = file.string() + ":";
    if (line.starts_with(name)) {
      char* end = nullptr;
      const long number = std::strtol(line.c_str() + name.size(), &end, 10);
      std::string text = end;
      if (text.starts_with(":")) text.erase(0, text.find_first_not_of(": "));
      return Error({file.string(), static_cast<int>(number), 0}, text + note,
                   text_line(file, static_cast<int>(number)));
    }
    return Error({file.string(), 0, 0}, fmt::format("glslang: {}{}", line, note));
  }
  return Error(
      fmt::format("{}: glslangValidator failed with status {}{}", file.string(), status, note));
}

}  // namespace

std::string compile(const fs::path& file, bool is_hlsl, const Options& options) {
  read_file(file);  // whose errors are better than glslang's
  const MemoryFile output;
  std::vector<std::string> command = {find_glslang(), "--quiet", "-g", "-S", "comp"};
  if (is_hlsl) {
    // For newer targets glslang 12 writes decorations that these do not have.
    command.insert(command.end(), {"-D", "-V", "-e", "main", "--target-env", "vulkan1.1"});
  } else {
    command.insert(command.end(), {"-V", "--target-env", "vulkan1.3"});
  }
  for (const std::string& flag : options.flags) {
    if (flag.starts_with("-D") || flag.starts_with("-U") || flag.starts_with("-I")) {
      command.push_back(flag);
    }
  }
  command.insert(command.end(), {"-o", output.name(), file.string()});
  const Finished finished = run_process(command, options.limit, options.interrupted);
  if (finished.interrupted) throw Error(file.string() + ": interrupted");
  if (finished.status == -1) {
    throw Error(
        fmt::format("{}: glslang takes longer than {} s", file.string(), options.limit.count()));
  }
  if (finished.status != 0) {
    throw shader_error(finished.output + finished.complaint, finished.status, file, is_hlsl);
  }
  return output.content();
}

}  // namespace headway::kernel::glslang
