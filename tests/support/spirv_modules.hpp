// Modules of SPIR-V as text, what is refused of them, and the faults of small launches.
#pragma once

#ifdef HEADWAY_SPIRV
#include <optional>
#include <string>

#include "kernel/ir/ir.hpp"
#include "kernel/test/analysis.hpp"

namespace headway::testing {

// Of the first entry point: the reason why it is not understood, or the IR's own objection.
std::string refusal_of(const std::string& text);

// The faults of a launch, with commas. Without a block the module says how many threads there are.
std::string faults_of(const std::string& text, kernel::Size3 grid = {1, 1, 1},
                      std::optional<kernel::Size3> block = {});

}  // namespace headway::testing
#endif
