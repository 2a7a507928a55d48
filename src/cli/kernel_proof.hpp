// What `check` asks of `verify`: whether a launch ends that is too large to be explored.
#pragma once

#ifdef HEADWAY_KERNELS
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "kernel/test/kernel_tests.hpp"

namespace headway::cli {

// What a proof relies on by which all executions of the launch end, with all data that `spec` does
// not exclude, without races, divergent barriers and assertions that fail: a phrase each. Nothing
// where none is found in so many seconds. As kernel::KernelOptions::proof_of_end.
std::optional<std::vector<std::string>> proof_of_end(const kernel::ReadKernels& read,
                                                     const kernel::Function& function,
                                                     const kernel::LaunchSpec& spec,
                                                     const kernel::Launch& launch, double seconds,
                                                     const std::atomic<bool>* stop);

}  // namespace headway::cli
#endif
