#include "kernel/llvm/api.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/shared_library.hpp"

namespace headway::kernel::llvm {
namespace {

Api load() {
  const SharedLibrary library(
      {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"},
      "reading kernels needs LLVM 19, whose library was not found (Debian: libllvm19)");
  const auto find = [&](const char* name) {
    void* found = library.find(name);
    if (found == nullptr) throw Error(fmt::format("libLLVM has no {}; expected LLVM 19", name));
    return found;
  };
  Api result;
#define HEADWAY_LLVM_LOAD(name) \
  result.name = reinterpret_cast<decltype(result.name)>(find("LLVM" #name));
  HEADWAY_LLVM_FUNCTIONS(HEADWAY_LLVM_LOAD)
#undef HEADWAY_LLVM_LOAD
  return result;
}

}  // namespace

const Api& api() {
  static const Api loaded = load();
  return loaded;
}

}  // namespace headway::kernel::llvm
