// Conditions on the arguments of a launch, "n > 0 && n % 4 == 0": C's integer operators over the
// names of parameters and the sizes of the launch, computed with 64 bits, arguments as signed
// numbers.
#pragma once

#include <string>

#include "kernel/directives.hpp"
#include "kernel/machine/launch.hpp"
#include "smt/term.hpp"

namespace headway::kernel {

// Throws headway::Error for what is no such condition, with its place.
smt::Term condition_on(const Launch& launch, const Assumption& assumption, smt::Context& terms);

}  // namespace headway::kernel
