#include "kernel/llvm/unset.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/llvm/scopes.hpp"

namespace headway::kernel::llvm {
namespace {

constexpr std::string_view kFunction = "__headway_unset", kName = ".unset";

// What LLVM promotes to a register; of anything else, memory knows what was never written.
bool is_scalar(LLVMTypeRef type) {
  switch (api().GetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
    case LLVMVectorTypeKind:
      return true;
    default:
      return false;
  }
}

// Whether an operand is one that a pass may fold: an intrinsic asks for constants at times, and the
// vectors of insertions and shuffles begin with nothing.
bool is_explicit(LLVMValueRef instruction, unsigned index) {
  LLVMValueRef operand = api().GetOperand(instruction, index);
  if (!api().IsUndef(operand) || !is_scalar(api().TypeOf(operand)) ||
      api().GetTypeKind(api().TypeOf(operand)) == LLVMVectorTypeKind) {
    return false;
  }
  return api().GetInstructionOpcode(instruction) != LLVMCall ||
         !name_of(api().GetCalledValue(instruction)).starts_with("llvm.");
}

class Marking {
 public:
  explicit Marking(LLVMModuleRef module)
      : module_(module), builder_(api().CreateBuilderInContext(api().GetModuleContext(module))) {}
  ~Marking() { api().DisposeBuilder(builder_); }
  Marking(const Marking&) = delete;
  Marking& operator=(const Marking&) = delete;

  // A variable begins where it is declared, and again where its scope is entered anew.
  void mark(LLVMValueRef variable) {
    std::vector<LLVMValueRef> begins{variable};
    for (LLVMUseRef use = api().GetFirstUse(variable); use != nullptr;
         use = api().GetNextUse(use)) {
      LLVMValueRef user = api().GetUser(use);
      if (begins_scope(user)) begins.push_back(user);
    }
    for (LLVMValueRef begin : begins) {
      LLVMValueRef next = api().GetNextInstruction(begin);
      api().PositionBuilderBefore(builder_, next);
      api().BuildStore(builder_, made(api().GetAllocatedType(variable), variable), variable);
    }
  }

  // What the compiler stores, or where it is declared again.
  void replace(LLVMValueRef store) {
    api().PositionBuilderBefore(builder_, store);
    api().SetOperand(store, 0,
                     made(api().TypeOf(api().GetOperand(store, 0)), api().GetOperand(store, 1)));
  }

  // An operand that a file of LLVM writes `undef` or `poison`. Of a phi it is made where its block
  // comes from.
  void replace_operand(LLVMValueRef instruction, unsigned index) {
    LLVMValueRef at = instruction;
    if (api().GetInstructionOpcode(instruction) == LLVMPHI)
      at = api().GetBasicBlockTerminator(api().GetIncomingBlock(instruction, index));
    api().PositionBuilderBefore(builder_, at);
    LLVMValueRef operand = api().GetOperand(instruction, index);
    api().SetOperand(instruction, index, made(api().TypeOf(operand), operand));
  }

 private:
  // Where the builder stands.
  LLVMValueRef made(LLVMTypeRef type, LLVMValueRef variable) {
    const std::string name = name_of(variable) + std::string(kName);
    LLVMValueRef function = function_of(type);
    return api().BuildCall2(builder_, api().GlobalGetValueType(function), function, nullptr, 0,
                            name.c_str());
  }
  LLVMValueRef function_of(LLVMTypeRef type) {
    LLVMValueRef& function = functions_[type];
    if (function == nullptr) {
      function =
          api().AddFunction(module_, fmt::format("{}.{}", kFunction, functions_.size()).c_str(),
                            api().FunctionType(type, nullptr, 0, 0));
    }
    return function;
  }

  LLVMModuleRef module_;
  LLVMBuilderRef builder_;
  std::map<LLVMTypeRef, LLVMValueRef> functions_;
};

}  // namespace

void mark_unset(LLVMModuleRef module) {
  std::vector<LLVMValueRef> variables, stores;
  std::vector<std::pair<LLVMValueRef, unsigned>> operands;
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (api().GetInstructionOpcode(i) == LLVMStore && is_of_compiler(i) &&
          is_scalar(api().TypeOf(api().GetOperand(i, 0)))) {
        stores.push_back(i);
        return;
      }
      for (int k = 0; k < api().GetNumOperands(i); ++k) {
        if (is_explicit(i, static_cast<unsigned>(k)))
          operands.emplace_back(i, static_cast<unsigned>(k));
      }
      if (api().GetInstructionOpcode(i) != LLVMAlloca) return;
      // A parameter's own variable is set where the function begins.
      if (is_scalar(api().GetAllocatedType(i)) && !name_of(i).ends_with(".addr"))
        variables.push_back(i);
    });
  }
  Marking marking(module);
  for (LLVMValueRef variable : variables) marking.mark(variable);
  for (LLVMValueRef store : stores) marking.replace(store);
  for (const auto& [instruction, index] : operands) marking.replace_operand(instruction, index);
}

bool is_of_compiler(LLVMValueRef instruction) {
  constexpr std::string_view kind = "annotation", word = "auto-init";
  LLVMContextRef context = api().GetModuleContext(
      api().GetGlobalParent(api().GetBasicBlockParent(api().GetInstructionParent(instruction))));
  LLVMValueRef node = api().GetMetadata(
      instruction,
      api().GetMDKindIDInContext(context, kind.data(), static_cast<unsigned>(kind.size())));
  if (node == nullptr) return false;
  std::vector<LLVMValueRef> operands(api().GetMDNodeNumOperands(node));
  if (!operands.empty()) api().GetMDNodeOperands(node, operands.data());
  for (LLVMValueRef operand : operands) {
    unsigned length = 0;
    const char* text = operand == nullptr ? nullptr : api().GetMDString(operand, &length);
    if (text != nullptr && std::string_view(text, length) == word) return true;
  }
  return false;
}

std::optional<std::string> unset_variable(LLVMValueRef value) {
  if (api().IsAInstruction(value) == nullptr || api().GetInstructionOpcode(value) != LLVMCall)
    return {};
  if (!name_of(api().GetCalledValue(value)).starts_with(kFunction)) return {};
  const std::string name = name_of(value);
  return name.substr(0, name.find(kName));
}

}  // namespace headway::kernel::llvm
