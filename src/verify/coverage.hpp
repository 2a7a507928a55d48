// What an answer of verify is about, in words.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/encoding/options.hpp"

namespace headway::verify {

// The launch, with workgroups of the size that the kernel fixes, if it fixes one.
Launch launch_of(const kernel::Function& function, Launch launch);

// "32 x 8", "any x 1 x 1": in all dimensions where one is open, so that nobody takes it for all of
// them.
std::string size_text(const std::array<std::optional<std::uint32_t>, 3>& size);

// "for 2 workgroups of any x 1 x 1 threads, n = 3, all arguments and data, executions that end"
std::string covers(const kernel::Function& function, const Options& options);

// What is taken for granted of a launch and its memory, a phrase each.
std::vector<std::string> premises_of(const kernel::Module& module, const kernel::Function& function,
                                     const Options& options);

}  // namespace headway::verify
