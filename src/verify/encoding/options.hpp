// What a kernel is verified for: the sizes of the launch, values of arguments, and how far to go.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "kernel/test/launch_spec.hpp"

namespace headway::kernel {
struct Analysis;
}

namespace headway::verify {

struct Launch {
  // Of a workgroup in threads, of the grid in workgroups; nothing: any size.
  std::array<std::optional<std::uint32_t>, 3> block{64, 1, 1}, grid{64, 1, 1};
  std::uint32_t subgroup = 32;
};

// What refutes candidates, besides Houdini (refuters.hpp).
struct Refuter {
  enum class Kind { base, step, rounds, runs } kind = Kind::base;
  int rounds = 0;
};
struct Schedule {
  std::vector<Refuter> before, beside;
};
// How many candidates an engine dropped, in which time.
struct EngineCount {
  std::string engine;
  std::size_t dropped = 0;
  double seconds = 0;
};

struct Options {
  Launch launch;
  std::map<std::string, std::uint64_t> arguments;  // by name
  // Of values that what is assumed lists, those that are looked at: by the names of variables, as
  // Learned has them.
  std::map<std::string, std::uint64_t> chosen;
  std::set<std::string> left_out;  // rules, as "r7"
  // Threads of a subgroup execute each instruction together, as before Volta.
  bool lockstep = false;
  // What files say that buffers hold at first, and arguments to try: runs keep to it, proofs are
  // for all arguments of which its assumptions hold.
  kernel::LaunchSpec stated;
  bool trials = true;         // look for errors in runs, too
  bool overflow = false;      // say of errors that they exist only where arithmetic wraps around
  bool bounds = false;        // accesses of arrays of known size, and of null
  bool equal_reads = false;   // both threads read the same where nothing was written between
  bool unrolls_far = false;   // loops of few rounds in which much is done are unrolled, too
  bool benign_count = false;  // two writes of the same value are a race, too
  bool cross_check = false;   // whatever one solver proves, another one has to prove, too
  Schedule schedule;
  std::string dump;  // a folder for questions as SMT-LIB 2
  std::chrono::milliseconds query_limit{4000}, kernel_limit{30000};
  const std::atomic<bool>* stop = nullptr;
  // Under which progress models a launch that waits need not end, by their names; nothing where
  // that is not known, as when it is to stop.
  std::function<std::optional<std::string>(const kernel::Analysis&, const kernel::LaunchSpec&,
                                           const StopSigns&)>
      not_ending;
  std::string models;  // that `not_ending` is about, by their names
};

}  // namespace headway::verify
