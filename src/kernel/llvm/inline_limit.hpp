// How much code functions have once all that they call stands in them: functions that double what
// they call, forty deep, have more than any memory holds.
#pragma once

#include <llvm-c/Core.h>

#include <cstdint>
#include <set>
#include <string>

namespace headway::kernel::llvm {

// Instructions of a kernel and of the functions that it calls, each with all that it calls in turn.
// LLVM 19 takes half a gigabyte and some seconds for so many.
inline constexpr std::uint64_t kMostInlined = 500'000;

// The kernels of the module that would have more than kMostInlined. Takes the attribute
// alwaysinline from the functions that would, so that calls of them stay calls.
std::set<std::string> keep_from_growing(LLVMModuleRef module, const std::set<std::string>& kernels);

}  // namespace headway::kernel::llvm
