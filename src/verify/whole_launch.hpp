// The launch that a file describes, looked at whole by the engine of `check`: every execution of
// it, for all data and arguments that are not given. Where nothing goes wrong in any of them,
// nothing was approximated and nothing left out, this launch is right, whatever a proof for all
// launches can make of it. What is given, it holds for alone: WholeLaunch::of says that.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "kernel/test/analysis.hpp"
#include "verify/encoding/options.hpp"
#include "verify/trial.hpp"

namespace headway::verify {

struct WholeLaunch {
  kernel::LaunchSpec spec;
  kernel::Analysis found;
  std::string of;        // "all executions of this launch, with n = 3", ...
  bool known = false;    // every argument is given
  bool right = false;    // all executions were seen, none goes wrong, and all claims were looked at
  bool uniform = false;  // its barriers are (uniform_barriers.hpp), where it is right
};

// Nothing where the launch has more than 64 threads or a size that is not given, and where the
// engine does not take it. With `all_faults` it goes on behind a fault, for others.
std::optional<WholeLaunch> look_at_whole_launch(const kernel::Module& module,
                                                const kernel::Function& function,
                                                const Options& options, bool all_faults,
                                                std::chrono::steady_clock::time_point until);

// "4 elements", "n*4 elements"
std::string elements_text(const kernel::BufferSpec& given);
// "n = 3", "n in 0..3", or nothing of an argument that may be anything.
std::string argument_text(const kernel::Parameter& parameter, const kernel::ArgumentSpec& given);

// Errors that are certain, of each property one.
std::map<Property, TrialFault> certain_faults(const WholeLaunch& launch, const Options& options);

// That it ends, in words: under every model, or under those of Options::not_ending. Nothing where
// that is not so or not known.
std::optional<std::string> ends_under(const WholeLaunch& launch, const Options& options,
                                      const StopSigns& stop);

}  // namespace headway::verify
