// Compilers are programs of others, run on one file each.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace headway::kernel {

// Runs `command`, a compiler that is called `name`, on `file`. Throws lang::Undecided when it takes
// longer than `limit`, or after an interruption; what it ends with is the caller's to look at.
Finished run_compiler(const std::vector<std::string>& command, const char* name,
                      const std::filesystem::path& file, std::chrono::milliseconds limit,
                      const std::atomic<bool>* interrupted);

// The program that an environment variable names; empty: it names none. Throws headway::Error where
// that is no program.
std::string named_program(const char* variable);

// A line of a text, from 1; empty: there is none.
std::string line_of(const std::string& text, int number);

// A file in memory that a child can read and write by its name, and that nobody has to remove.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = {});
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string name() const;
  std::string content() const;

 private:
  int file_;
};

}  // namespace headway::kernel
