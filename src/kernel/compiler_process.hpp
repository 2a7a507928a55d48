// Compilers are programs of others, run on one file each.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace headway::kernel {

// Runs `command`, a compiler that is called `name`, on `file`. Throws lang::Undecided when it takes
// longer than `limit`, or after an interruption; what it ends with is the caller's to look at.
Finished run_compiler(const std::vector<std::string>& command, const char* name,
                      const std::filesystem::path& file, std::chrono::seconds limit,
                      const std::atomic<bool>* interrupted);

}  // namespace headway::kernel
