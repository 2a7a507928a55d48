#include "kernel/llvm/pointer_calls.hpp"

#include <map>
#include <string>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {

namespace {

// Whether it is used in another way than by calls.
bool is_address_taken(LLVMValueRef function) {
  for (LLVMUseRef use = api().GetFirstUse(function); use != nullptr; use = api().GetNextUse(use)) {
    LLVMValueRef user = api().GetUser(use);
    if (api().IsAInstruction(user) == nullptr) {
      // In a constant; that of debuggers and of `used` lists does no harm.
      return true;
    }
    if (api().GetInstructionOpcode(user) != LLVMCall) return true;
    if (api().GetCalledValue(user) != function) return true;
    for (unsigned k = 0; k < api().GetNumArgOperands(user); ++k) {
      if (api().GetOperand(user, k) == function) return true;
    }
  }
  return false;
}

LLVMValueRef make_dispatcher(LLVMModuleRef module, LLVMTypeRef type, LLVMTypeRef pointer,
                             const std::vector<LLVMValueRef>& functions, std::size_t number) {
  LLVMContextRef context = api().GetModuleContext(module);
  std::vector<LLVMTypeRef> parameters(api().CountParamTypes(type));
  if (!parameters.empty()) api().GetParamTypes(type, parameters.data());
  const std::size_t given = parameters.size();
  parameters.insert(parameters.begin(), pointer);
  LLVMTypeRef result = api().GetReturnType(type);
  LLVMTypeRef whole =
      api().FunctionType(result, parameters.data(), static_cast<unsigned>(parameters.size()), 0);
  const std::string name = "__headway_call_by_pointer_" + std::to_string(number);
  LLVMValueRef made = api().AddFunction(module, name.c_str(), whole);
  api().AddAttributeAtIndex(made, static_cast<unsigned>(LLVMAttributeFunctionIndex),
                            api().CreateEnumAttribute(context, attribute_kind("alwaysinline"), 0));
  std::vector<LLVMValueRef> arguments;
  for (std::size_t k = 0; k < given; ++k) {
    arguments.push_back(api().GetParam(made, static_cast<unsigned>(k + 1)));
  }
  LLVMBuilderRef builder = api().CreateBuilderInContext(context);
  LLVMBasicBlockRef at = api().AppendBasicBlockInContext(context, made, "");
  for (LLVMValueRef function : functions) {
    LLVMBasicBlockRef yes = api().AppendBasicBlockInContext(context, made, "");
    LLVMBasicBlockRef no = api().AppendBasicBlockInContext(context, made, "");
    api().PositionBuilderAtEnd(builder, at);
    api().BuildCondBr(builder,
                      api().BuildICmp(builder, LLVMIntEQ, api().GetParam(made, 0), function, ""),
                      yes, no);
    api().PositionBuilderAtEnd(builder, yes);
    LLVMValueRef call = api().BuildCall2(builder, type, function, arguments.data(),
                                         static_cast<unsigned>(arguments.size()), "");
    if (api().GetTypeKind(result) == LLVMVoidTypeKind) {
      api().BuildRetVoid(builder);
    } else {
      api().BuildRet(builder, call);
    }
    at = no;
  }
  api().PositionBuilderAtEnd(builder, at);
  api().BuildUnreachable(builder);
  api().DisposeBuilder(builder);
  return made;
}

// Whether a pointer, or what it was read from, comes from an argument of a kernel.
class Origins {
 public:
  explicit Origins(const std::set<std::string>& kernels) : kernels_(kernels) {}

  bool is_outside(LLVMValueRef value) {
    if (!seen_.insert(value).second) return false;
    if (api().IsAArgument(value) != nullptr) {
      return kernels_.contains(name_of(api().GetParamParent(value)));
    }
    if (api().IsAInstruction(value) == nullptr) return false;
    switch (api().GetInstructionOpcode(value)) {
      case LLVMPHI:
        for (unsigned k = 0; k < api().CountIncoming(value); ++k) {
          if (is_outside(api().GetIncomingValue(value, k))) return true;
        }
        return false;
      case LLVMSelect:
        return is_outside(api().GetOperand(value, 1)) || is_outside(api().GetOperand(value, 2));
      case LLVMGetElementPtr:
      case LLVMBitCast:
      case LLVMAddrSpaceCast:
      case LLVMFreeze:
      case LLVMExtractValue:
        return is_outside(api().GetOperand(value, 0));
      case LLVMLoad: {
        LLVMValueRef from = api().GetOperand(value, 0);
        // The functions of an object are found by a table that the compiler makes.
        const bool is_table = api().IsAInstruction(object_of(from)) != nullptr &&
                              api().GetInstructionOpcode(object_of(from)) == LLVMLoad;
        return !is_table && is_outside(from);
      }
      case LLVMAlloca:
        return holds_outside(value);
      default:
        return api().GetInstructionOpcode(value) == LLVMIntToPtr;
    }
  }

 private:
  static LLVMValueRef object_of(LLVMValueRef pointer) {
    while (api().IsAInstruction(pointer) != nullptr) {
      const LLVMOpcode opcode = api().GetInstructionOpcode(pointer);
      if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast)
        break;
      pointer = api().GetOperand(pointer, 0);
    }
    return pointer;
  }

  // Of a variable of a thread, by what is stored or copied there.
  bool holds_outside(LLVMValueRef pointer) {
    for (LLVMUseRef use = api().GetFirstUse(pointer); use != nullptr; use = api().GetNextUse(use)) {
      LLVMValueRef user = api().GetUser(use);
      if (api().IsAInstruction(user) == nullptr) continue;
      switch (api().GetInstructionOpcode(user)) {
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
          if (holds_outside(user)) return true;
          break;
        case LLVMStore:
          if (api().GetOperand(user, 1) == pointer && is_outside(api().GetOperand(user, 0)))
            return true;
          break;
        case LLVMCall:
          if (api().GetNumArgOperands(user) >= 3 && api().GetOperand(user, 0) == pointer &&
              is_outside(api().GetOperand(user, 1)))
            return true;
          break;
        default:
          break;
      }
    }
    return false;
  }

  const std::set<std::string>& kernels_;
  std::set<LLVMValueRef> seen_;
};

}  // namespace

bool resolve_pointer_calls(LLVMModuleRef module, const std::set<std::string>& kernels) {
  std::vector<LLVMValueRef> calls;
  std::map<LLVMTypeRef, std::vector<LLVMValueRef>> taken;
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (api().IsDeclaration(f)) continue;
    if (is_address_taken(f)) taken[api().GlobalGetValueType(f)].push_back(f);
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (api().GetInstructionOpcode(i) != LLVMCall) return;
      LLVMValueRef callee = api().GetCalledValue(i);
      if (api().IsAFunction(callee) == nullptr && api().IsAInlineAsm(callee) == nullptr) {
        calls.push_back(i);
      }
    });
  }
  std::map<LLVMTypeRef, LLVMValueRef> dispatchers;
  bool any = false;
  for (LLVMValueRef call : calls) {
    LLVMTypeRef type = api().GetCalledFunctionType(call);
    if (Origins(kernels).is_outside(api().GetCalledValue(call))) continue;
    const auto functions = taken.find(type);
    if (functions == taken.end() || functions->second.size() > 64) continue;
    LLVMValueRef callee = api().GetCalledValue(call);
    LLVMValueRef& dispatcher = dispatchers[type];
    if (dispatcher == nullptr) {
      dispatcher = make_dispatcher(module, type, api().TypeOf(callee), functions->second,
                                   dispatchers.size());
    }
    std::vector<LLVMValueRef> arguments{callee};
    for (unsigned k = 0; k < api().GetNumArgOperands(call); ++k) {
      arguments.push_back(api().GetOperand(call, k));
    }
    LLVMBuilderRef builder = api().CreateBuilderInContext(api().GetModuleContext(module));
    api().PositionBuilderBefore(builder, call);
    api().SetCurrentDebugLocation2(builder, api().InstructionGetDebugLoc(call));
    LLVMValueRef made =
        api().BuildCall2(builder, api().GlobalGetValueType(dispatcher), dispatcher,
                         arguments.data(), static_cast<unsigned>(arguments.size()), "");
    api().DisposeBuilder(builder);
    if (api().GetTypeKind(api().TypeOf(call)) != LLVMVoidTypeKind) {
      api().ReplaceAllUsesWith(call, made);
    }
    api().InstructionEraseFromParent(call);
    any = true;
  }
  return any;
}

}  // namespace headway::kernel::llvm
