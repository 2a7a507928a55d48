// What `check` asks of `verify`: whether a launch ends that is too large to be explored.
#pragma once

#ifdef HEADWAY_KERNELS
#include <optional>

#include "kernel/test/kernel_tests.hpp"

namespace headway::cli {

// A proof about the launch with all data that `spec` does not exclude. Nothing where none is found
// in so many seconds, or before an interruption. As kernel::KernelOptions::proof_of_end.
std::optional<kernel::ProofOfEnd> proof_of_end(const kernel::ReadKernels& read,
                                               const kernel::Function& function,
                                               const kernel::LaunchSpec& spec,
                                               const kernel::Launch& launch, double seconds);

}  // namespace headway::cli
#endif
