// Whether kernel IR is as ir.hpp and operations.def say.
#pragma once

#include <optional>
#include <string>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// The first thing that is not as these pages say, or nothing: operands defined, as many as their
// operation takes, phis in step with the blocks before them, every block ended.
std::optional<std::string> objection(const Module& module, const Function& function);

// What each reader and each pass leaves behind, in builds with assertions.
void assert_well_formed(const Module& module);

}  // namespace headway::kernel
