// What tells launches of kernels apart: two with the same key do the same.
#pragma once

#include <string>

#include "kernel/test/launch_spec.hpp"

namespace headway::kernel {

// A key (base/text/key.hpp) of the code, of the memory that it names, and of the launch as it is
// asked for, from which all else of the launch follows. Lines and names have no part in it, but for
// those of parameters, by which the launch speaks of them.
std::string launch_key(const Module& module, const Function& function, const LaunchSpec& spec);

}  // namespace headway::kernel
