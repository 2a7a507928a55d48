// What the host's side of a file says of the sizes and arguments of a launch: constants, counters
// of loops between constants, and numbers that follow from the launch's own arguments.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/llvm/api.hpp"

namespace headway::kernel::llvm {

// One size of a dim3. `text`: of the launch's arguments, which are "{0}", "{1}", ..., as conditions
// have it (kernel/test/assumption.hpp); empty where it is a number, or follows from something else.
struct HostSize {
  std::optional<std::uint32_t> number;
  std::string text;
};

// A dim3 is passed as x and y in one word, and z in another one.
std::array<HostSize, 3> host_sizes(LLVMValueRef xy, LLVMValueRef z,
                                   const std::vector<LLVMValueRef>& arguments);

// The least and the most that an integer is, as signed numbers.
using HostRange = std::pair<std::int64_t, std::int64_t>;
std::optional<HostRange> host_range(LLVMValueRef value);

}  // namespace headway::kernel::llvm
