// Single executions of a launch by the engine of `check` (kernel/machine/walk.hpp), for what trials
// leave: operations of subgroups, and what releases and acquires order exactly.
#pragma once

#include <chrono>
#include <optional>

#include "kernel/machine/machine.hpp"
#include "kernel/test/launch_spec.hpp"
#include "kernel/test/program.hpp"
#include "verify/encoding/options.hpp"
#include "verify/trial.hpp"

namespace headway::verify {

// What an error of the engine is an error of, if `verify` looks at that.
std::optional<Property> property_of(kernel::FaultKind kind);

// With both threads of it.
TrialFault fault_of(const kernel::Runnable& run, const kernel::Fault& fault, Property property);

// Whether trials leave anything of the function to walks.
bool wants_walks(const kernel::Function& function);

// By a few schedules, one after the other. Only errors that are certain; nothing where the engine
// does not take the launch.
TrialResult walk_launch(const kernel::Module& module, const kernel::Function& function,
                        const kernel::LaunchSpec& spec, const Options& options,
                        std::chrono::steady_clock::time_point until);

}  // namespace headway::verify
