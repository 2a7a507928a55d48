// LLVM bitcode or assembly -> kernel IR. Calls are inlined and scalars promoted to registers;
// nothing that a program does is taken away. What cannot be read is said in Function::unsupported.
#pragma once

#include <string>
#include <string_view>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::llvm {

struct ReadOptions {
  // Code of files in this folder has the place where it is used.
  std::string headers;
  bool fences_of_cpp = false;  // as CompileOptions has it
  // The text comes from elsewhere: types of addresses need not be those of the source.
  bool is_foreign = false;
};

// `path` names the file in messages. Kernels are the functions that the module marks as such, or
// `main` of a host program. Throws headway::Error where `text` is no module, or LLVM is missing.
Module read_module(std::string_view text, const std::string& path, const ReadOptions& options = {});

}  // namespace headway::kernel::llvm
