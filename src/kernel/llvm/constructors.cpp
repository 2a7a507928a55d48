#include "kernel/llvm/constructors.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {
namespace {

// In their order. Clang's own one, which registers kernels, is left out.
std::vector<LLVMValueRef> constructors_of(LLVMModuleRef module) {
  std::vector<std::pair<std::uint64_t, LLVMValueRef>> found;
  LLVMValueRef list = api().GetNamedGlobal(module, "llvm.global_ctors");
  LLVMValueRef entries = list == nullptr ? nullptr : api().GetInitializer(list);
  for (unsigned k = 0; entries != nullptr; ++k) {
    LLVMValueRef entry = api().GetAggregateElement(entries, k);
    if (entry == nullptr) break;
    LLVMValueRef function = api().GetAggregateElement(entry, 1);
    if (api().IsAFunction(function) == nullptr || name_of(function) == "__cuda_module_ctor")
      continue;
    found.emplace_back(api().ConstIntGetZExtValue(api().GetAggregateElement(entry, 0)), function);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LLVMValueRef> result;
  result.reserve(found.size());
  for (const auto& [priority, function] : found) result.push_back(function);
  return result;
}

// Destructors, and what they destroy, as the functions that construct one variable register them.
std::vector<std::pair<LLVMValueRef, LLVMValueRef>> destructors_of(LLVMModuleRef module) {
  std::vector<std::pair<LLVMValueRef, LLVMValueRef>> result;
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (!name_of(f).starts_with("__cxx_global_var_init")) continue;
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (api().GetInstructionOpcode(i) != LLVMCall) return;
      if (name_of(api().GetCalledValue(i)) != "__cxa_atexit") return;
      LLVMValueRef destructor = api().GetOperand(i, 0);
      if (api().IsAFunction(destructor) != nullptr && !api().IsDeclaration(destructor))
        result.emplace_back(destructor, api().GetOperand(i, 1));
    });
  }
  return result;
}

}  // namespace

void run_constructors(LLVMModuleRef module) {
  LLVMValueRef main = api().GetNamedFunction(module, "main");
  if (main == nullptr || api().IsDeclaration(main)) return;
  std::vector<LLVMValueRef> returns;
  LLVMMetadataRef place = nullptr;
  for_each_instruction(main, [&](LLVMValueRef i) {
    if (api().GetInstructionOpcode(i) == LLVMRet) returns.push_back(i);
    if (place == nullptr) place = api().InstructionGetDebugLoc(i);
  });
  LLVMBuilderRef builder = api().CreateBuilderInContext(api().GetModuleContext(module));
  const auto call = [&](LLVMValueRef before, LLVMValueRef function, LLVMValueRef argument) {
    api().PositionBuilderBefore(builder, before);
    api().SetCurrentDebugLocation2(builder, place);
    api().BuildCall2(builder, api().GlobalGetValueType(function), function, &argument,
                     argument == nullptr ? 0 : 1, "");
  };
  LLVMValueRef first = api().GetFirstInstruction(api().GetEntryBasicBlock(main));
  for (LLVMValueRef constructor : constructors_of(module)) call(first, constructor, nullptr);
  auto destructors = destructors_of(module);
  std::reverse(destructors.begin(), destructors.end());
  for (LLVMValueRef end : returns) {
    for (const auto& [destructor, of] : destructors) call(end, destructor, of);
  }
  api().DisposeBuilder(builder);
}

}  // namespace headway::kernel::llvm
