// What an answer about one launch takes for granted beside what its language leaves open
// (ir/premises.hpp): a phrase each, where something that was computed depends on it.
#pragma once

#include <string>
#include <vector>

#include "kernel/test/program.hpp"

namespace headway::kernel {

// That variables of the module hold what they begin with, though something else may run before; and
// that what a pointer goes to begins at a multiple of more bytes than its type asks for.
std::vector<std::string> granted(const Runnable& run);

}  // namespace headway::kernel
