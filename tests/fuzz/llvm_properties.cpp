#include "fuzz/llvm_properties.hpp"

#include <string>

#include "fuzz/module_properties.hpp"
#include "kernel/llvm/reader.hpp"

namespace headway::fuzz {

void check_llvm(std::string_view text) {
  const bool bitcode = text.starts_with("BC") || text.starts_with("\xde\xc0\x17\x0b");
  // LLVM verifies a module with variables as it reads it, and aborts.
  if (bitcode || text.find("Debug Info Version") != std::string_view::npos) return;
  // A zero ends it, as it ends a file that clang has written.
  const std::string_view content = text.substr(0, text.find('\0'));
  check_module([&] { return kernel::llvm::read_module(content, "fuzz.ll"); }, content.size());
}

}  // namespace headway::fuzz
