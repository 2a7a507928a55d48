#include "kernel/compiler_process.hpp"

#include <fmt/format.h>

#include "lang/test.hpp"

namespace headway::kernel {

Finished run_compiler(const std::vector<std::string>& command, const char* name,
                      const std::filesystem::path& file, std::chrono::seconds limit,
                      const std::atomic<bool>* interrupted) {
  Finished finished = run_process(command, limit, interrupted);
  if (finished.interrupted) throw lang::Undecided(file.string() + ": unknown: interrupted");
  if (finished.status == -1) {
    throw lang::Undecided(
        fmt::format("{}: unknown: {} takes longer than {} s; a higher --timeout may decide it",
                    file.string(), name, limit.count()));
  }
  return finished;
}

}  // namespace headway::kernel
