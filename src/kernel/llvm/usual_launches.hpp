// How the host's side of a CUDA file launches its kernels, as far as that is constant.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::llvm {

// By the symbol of the kernel: its first launch (<<<...>>>) whose workgroups have a constant size,
// with what all of its launches that may have these sizes have in common; nothing of arguments
// where it may be launched in another way (cudaLaunchKernel, pointers to kernels). Arguments have
// their numbers for names: 0, and {0} in what sizes follow from. `host` is the module of that side,
// `path` names it in messages. Throws headway::Error where it is no module, or LLVM is missing.
std::map<std::string, UsualLaunch> usual_launches(std::string_view host, const std::string& path);

}  // namespace headway::kernel::llvm
