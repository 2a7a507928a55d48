// What a trial (trial.hpp) runs: sizes, the workgroups that have started, arguments and data.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace headway::verify {

using Size = std::array<std::uint32_t, 3>;

class Watcher;

// A number, or nothing that may be used. Pointers are numbers: each object has its own addresses.
struct TrialValue {
  std::uint64_t bits = 0;
  bool known = true;
};

struct TrialLaunch {
  Size block{1, 1, 1}, grid{1, 1, 1};
  std::uint32_t subgroup = 32;
  bool count_benign = false;
  bool causality = false;    // as of kernel::Module
  bool same_scopes = false;  // atomic accesses of two scopes are atomic to nobody, as in OpenCL
  std::vector<std::uint32_t> groups;     // that run, by their linear numbers
  std::vector<std::uint64_t> arguments;  // by parameter, of those that are numbers
  // What memory holds that the launch is given: a byte of a region (regions.hpp), and what an
  // unknown value is.
  std::function<std::uint8_t(int region, std::uint64_t at)> content;
  std::function<std::uint64_t(std::uint32_t count)> unknown;
  Watcher* watcher = nullptr;
};

}  // namespace headway::verify
