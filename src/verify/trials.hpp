// Launches to try (trial.hpp): which workgroups of the launch that was asked for run, with which
// arguments and data. What a solver's counterexample says comes first.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "kernel/machine/launch.hpp"
#include "verify/encoding/options.hpp"
#include "verify/suspect.hpp"
#include "verify/trial.hpp"
#include "verify/watcher.hpp"

namespace headway::verify {

struct Trials {
  std::map<Property, TrialFault> faults;  // of each property the first one
  bool complete = false;                  // a run came to its end
};

// "; in a launch of 2,1,1 workgroups of 64,1,1 threads", for the end of a detail.
std::string launch_text(const kernel::Size3& grid, const kernel::Size3& block);

// `suspect` may be null. Arguments and sizes that are known have their values in
// `known` (encoder.hpp: Learned). Stops when `wanted`
// has been found.
Trials try_launches(const kernel::Module& module, const kernel::Function& function,
                    const Options& options, const Suspect* suspect,
                    const std::map<std::string, std::uint64_t>& known,
                    std::optional<Property> wanted, std::chrono::milliseconds limit);

// Runs such launches, without counterexample, for somebody who watches.
void watch_launches(const kernel::Module& module, const kernel::Function& function,
                    const Options& options, const std::map<std::string, std::uint64_t>& known,
                    Watcher& watcher, std::chrono::milliseconds limit);

}  // namespace headway::verify
