// Integers that nobody says anything of. Most are sizes, and of all sizes there are too many to be
// looked at one after the other; those around the launch's own show what goes wrong.
#pragma once

#include <string>
#include <vector>

#include "kernel/test/launch_spec.hpp"

namespace headway::kernel {

// Gives each such parameter of `spec` a small range, and says so: "n = unknown(0..8)". None where
// something is assumed of parameters, as the two may contradict each other.
std::vector<std::string> add_default_ranges(const Module& module, const Function& function,
                                            LaunchSpec& spec);

}  // namespace headway::kernel
