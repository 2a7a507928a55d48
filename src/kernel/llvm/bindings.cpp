#include "kernel/llvm/bindings.hpp"

#include <string>
#include <string_view>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {
namespace {

// Where our headers put the variables that both sides use.
constexpr std::string_view kManaged = "headway.managed";

}  // namespace

void read_bindings(LLVMModuleRef source, Module& module) {
  const auto text = [](LLVMValueRef global) -> std::string {
    if (api().IsAGlobalVariable(global) == nullptr) return {};
    LLVMValueRef value = api().GetInitializer(global);
    if (value == nullptr || !api().IsConstantString(value)) return {};
    std::size_t length = 0;
    const char* bytes = api().GetAsString(value, &length);
    while (length > 0 && bytes[length - 1] == '\0') --length;
    return {bytes, length};
  };
  LLVMValueRef registers = api().GetNamedFunction(source, "__cuda_register_globals");
  if (registers == nullptr) return;
  for_each_instruction(registers, [&](LLVMValueRef i) {
    if (api().GetInstructionOpcode(i) != LLVMCall) return;
    const std::string callee = name_of(api().GetCalledValue(i));
    if (callee == "__cudaRegisterFunction") {
      module.kernels.push_back(
          {name_of(api().GetOperand(i, 1)), text(api().GetOperand(i, 2)), false});
    } else if (callee == "__cudaRegisterVar" || callee == "__cudaRegisterManagedVar") {
      LLVMValueRef shadow = api().GetOperand(i, 1);
      const char* section = api().GetSection(shadow);
      const bool managed = section != nullptr && std::string_view(section) == kManaged;
      module.variables.push_back({name_of(shadow), text(api().GetOperand(i, 2)), managed});
    }
  });
}

}  // namespace headway::kernel::llvm
