#include "kernel/llvm/parse.hpp"

#include "base/error.hpp"

namespace headway::kernel::llvm {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

OwnedContext make_context() {
  OwnedContext context(api().ContextCreate());
  api().ContextSetDiagnosticHandler(
      context.get(), [](LLVMDiagnosticInfoRef, void*) {}, nullptr);
  return context;
}

OwnedModule parse(const OwnedContext& context, std::string_view text, const std::string& path) {
  // The parser takes the buffer, and wants a zero behind it.
  const std::string copy(text);
  LLVMMemoryBufferRef buffer =
      api().CreateMemoryBufferWithMemoryRangeCopy(copy.c_str(), copy.size(), path.c_str());
  LLVMModuleRef module = nullptr;
  char* message = nullptr;
  if (api().ParseIRInContext(context.get(), buffer, &module, &message) != 0) {
    const std::string said = message == nullptr ? "no LLVM module" : message;
    api().DisposeMessage(message);
    throw Error({path, 0, 0}, "cannot be read by LLVM 19: " + first_line(said));
  }
  return OwnedModule(module);
}

}  // namespace headway::kernel::llvm
