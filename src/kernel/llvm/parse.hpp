// Modules of LLVM from their texts.
#pragma once

#include <llvm-c/Core.h>

#include <memory>
#include <string>
#include <string_view>

#include "kernel/llvm/api.hpp"

namespace headway::kernel::llvm {

struct ContextDeleter {
  void operator()(LLVMContextRef context) const { api().ContextDispose(context); }
};
struct ModuleDeleter {
  void operator()(LLVMModuleRef module) const { api().DisposeModule(module); }
};
using OwnedContext = std::unique_ptr<std::remove_pointer_t<LLVMContextRef>, ContextDeleter>;
using OwnedModule = std::unique_ptr<std::remove_pointer_t<LLVMModuleRef>, ModuleDeleter>;

// What is wrong with a module that is parsed there comes as an error alone.
OwnedContext make_context();

// Bitcode or assembly; `path` names it in messages. Throws headway::Error where it is no module.
OwnedModule parse(const OwnedContext& context, std::string_view text, const std::string& path);

std::string first_line(const std::string& text);

}  // namespace headway::kernel::llvm
