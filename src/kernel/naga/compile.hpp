// From WGSL to SPIR-V: naga, a module of WebAssembly that the program carries, runs in Node.js as a
// child. Takes its time. Can be used by several threads at a time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headway::kernel::naga {

struct Options {
  std::map<std::string, double> values = {};  // of overrides, by their names or their @id
  // For overrides that are the size of a workgroup and that nobody gave otherwise.
  std::optional<std::array<std::uint32_t, 3>> group_size = {};
  std::chrono::milliseconds limit{120'000};
  const std::atomic<bool>* interrupted = nullptr;
};

struct Compiled {
  std::string words;  // of SPIR-V, which calls the function `mark` with the line of each statement
  std::string mark;
  std::string elect;                  // the function that stands for subgroupElect(); or empty
  std::vector<std::string> premises;  // defaults of overrides
};

// Whether this headway was built with naga.
bool is_built_in();

// Throws headway::Error with naga's own message at its place, where headway was built without naga,
// and for a Node.js that is missing with the package that has it; lang::Undecided when the time is
// over, or after an interruption. HEADWAY_NODE in the environment names another one.
Compiled compile_wgsl(const std::filesystem::path& file, const Options& options);

}  // namespace headway::kernel::naga
