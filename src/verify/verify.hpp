// Proves kernels free of races, barrier divergence and failed assertions for all arguments and
// data, for the sizes of Options::launch, for executions that end. Never `verified` where the proof
// was not finished: what was not decided is `possible` or `unknown`, what is not modelled
// `unsupported`. Safe to call for different kernels at once.
#pragma once

#include "kernel/ir/ir.hpp"
#include "verify/encoding/options.hpp"
#include "verify/report.hpp"

namespace headway::verify {

Report verify(const kernel::Module& module, const kernel::Function& function,
              const Options& options);

}  // namespace headway::verify
