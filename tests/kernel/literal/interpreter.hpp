// Kernel IR taken literally, to hold the machine against (src/kernel/machine): every order of the
// accesses of a small launch, one after the other, with concrete values; happens-before as the
// relation that it is defined to be, over the events of one execution (history.hpp); values that
// nobody has set in many worlds at once (worlds.hpp). Nothing is reduced, hashed or shared with the
// machine, arithmetic included. Integers alone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::testing {

struct LiteralLaunch {
  std::array<std::uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  int subgroup = 32;
  std::uint64_t workgroup_bytes =
      0;  // of all arrays that the launch sizes: they begin at one place
  // Whether it is an error that what nobody has set is written to memory that outlives the launch.
  bool results = false;
  // By the name of the parameter: bytes of what a pointer goes to, or an integer.
  std::map<std::string, std::vector<std::uint8_t>> buffers;
  std::map<std::string, std::uint64_t> integers;
  int max_events = 40;  // of an execution; longer ones are cut off
  std::size_t max_executions = 3'000;
  // Threads that wait for each other take many without coming to an end of an execution.
  std::size_t max_steps = 1'000'000;
};

// A byte that is not the same whatever unset values are.
inline constexpr int kUnsetByte = 256;

struct LiteralResult {
  std::set<std::string> faults;     // as properties are named: "race", "divergence", ...
  std::set<std::vector<int>> ends;  // bytes of all buffers, in the order of their names
  bool repeats = false;             // a thread may go on and on without changing anything
  bool cut = false;                 // an execution was too long
  bool complete = true;             // there were not too many
};

// Throws std::runtime_error for what it does not know.
LiteralResult run_literally(const kernel::Module& module, const kernel::Function& function,
                            const LiteralLaunch& launch);

}  // namespace headway::testing
