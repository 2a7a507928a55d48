#include "kernel/llvm/scopes.hpp"

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {
namespace {

constexpr const char* kBegins = "__headway_scope_begins";
constexpr const char* kEnds = "__headway_scope_ends";

template <typename Act>
void for_each_user(LLVMValueRef value, const Act& act) {
  for (LLVMUseRef use = api().GetFirstUse(value); use != nullptr; use = api().GetNextUse(use)) {
    act(api().GetUser(use));
  }
}

bool calls(LLVMValueRef instruction, std::string_view prefix) {
  return api().IsAInstruction(instruction) != nullptr &&
         api().GetInstructionOpcode(instruction) == LLVMCall &&
         name_of(api().GetCalledValue(instruction)).starts_with(prefix);
}

// Where an address goes from one value on, within a function and those that it calls.
enum class Way { stays, returned, escapes };

class Ways {
 public:
  // Does not look into a function that calls itself: an argument escapes there.
  Way of(LLVMValueRef value) {
    std::set<LLVMValueRef> seen;
    return follow(value, seen);
  }

 private:
  static Way worse(Way a, Way b) { return a > b ? a : b; }

  Way follow(LLVMValueRef value, std::set<LLVMValueRef>& seen) {
    if (!seen.insert(value).second) return Way::stays;
    Way result = Way::stays;
    for_each_user(value, [&](LLVMValueRef user) {
      if (result != Way::escapes) result = worse(result, through(user, value, seen));
    });
    return result;
  }

  Way through(LLVMValueRef user, LLVMValueRef value, std::set<LLVMValueRef>& seen) {
    if (api().IsAInstruction(user) == nullptr) return Way::escapes;
    switch (api().GetInstructionOpcode(user)) {
      case LLVMLoad:
      case LLVMICmp:
        return Way::stays;
      case LLVMRet:
        return Way::returned;
      case LLVMGetElementPtr:
      case LLVMBitCast:
      case LLVMAddrSpaceCast:
      case LLVMPHI:
      case LLVMSelect:
        return follow(user, seen);
      case LLVMStore: {
        if (api().GetOperand(user, 0) != value) return Way::stays;
        LLVMValueRef to = api().GetOperand(user, 1);
        return is_register(to) ? follow_loads(to, seen) : Way::escapes;
      }
      case LLVMCall:
        return through_call(user, value, seen);
      default:  // any other takes it to where nobody looks
        return Way::escapes;
    }
  }

  // A variable that is read and written, and nothing else.
  static bool is_register(LLVMValueRef to) {
    if (api().IsAAllocaInst(to) == nullptr) return false;
    bool result = true;
    for_each_user(to, [&](LLVMValueRef user) {
      const bool reads = opcode_of(user) == LLVMLoad;
      const bool writes = opcode_of(user) == LLVMStore && api().GetOperand(user, 1) == to &&
                          api().GetOperand(user, 0) != to;
      if (!reads && !writes && !calls(user, "llvm.")) result = false;
    });
    return result;
  }
  Way follow_loads(LLVMValueRef variable, std::set<LLVMValueRef>& seen) {
    Way result = Way::stays;
    for_each_user(variable, [&](LLVMValueRef user) {
      if (opcode_of(user) == LLVMLoad) result = worse(result, follow(user, seen));
    });
    return result;
  }

  Way through_call(LLVMValueRef call, LLVMValueRef value, std::set<LLVMValueRef>& seen) {
    LLVMValueRef callee = called_body(call);
    if (callee == nullptr) {
      // Functions that are declared alone keep no address of a local, as far as headway knows them;
      // strcpy() and others give it back.
      if (api().IsAFunction(api().GetCalledValue(call)) == nullptr) return Way::escapes;
      const bool gives = api().GetTypeKind(api().TypeOf(call)) == LLVMPointerTypeKind;
      return gives ? follow(call, seen) : Way::stays;
    }
    Way result = Way::stays;
    for (unsigned a = 0; a < api().GetNumArgOperands(call); ++a) {
      if (api().GetOperand(call, a) != value) continue;
      if (a >= api().CountParams(callee)) return Way::escapes;
      const Way there = of_argument(callee, a);
      if (there == Way::escapes) return there;
      if (there == Way::returned) result = worse(result, follow(call, seen));
    }
    return result;
  }

  Way of_argument(LLVMValueRef function, unsigned index) {
    const auto [found, is_new] = arguments_.try_emplace({function, index}, Way::escapes);
    if (!is_new) return found->second;
    const Way way = of(api().GetParam(function, index));
    arguments_[{function, index}] = way;
    return way;
  }

  std::map<std::pair<LLVMValueRef, unsigned>, Way> arguments_;
};

}  // namespace

void mark_scopes(LLVMModuleRef module) {
  LLVMContextRef context = api().GetModuleContext(module);
  Ways ways;
  std::vector<LLVMValueRef> variables;
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (api().GetInstructionOpcode(i) == LLVMAlloca && ways.of(i) != Way::stays)
        variables.push_back(i);
    });
  }
  LLVMBuilderRef builder = api().CreateBuilderInContext(context);
  std::map<std::pair<LLVMTypeRef, bool>, LLVMValueRef> marks;
  const auto mark = [&](LLVMValueRef variable, LLVMValueRef before, bool begins) {
    LLVMTypeRef pointer = api().TypeOf(variable);
    LLVMValueRef& function = marks[{pointer, begins}];
    LLVMTypeRef type = api().FunctionType(api().VoidTypeInContext(context), &pointer, 1, 0);
    if (function == nullptr) function = api().AddFunction(module, begins ? kBegins : kEnds, type);
    api().PositionBuilderBefore(builder, before);
    api().BuildCall2(builder, type, function, &variable, 1, "");
  };
  for (LLVMValueRef variable : variables) {
    LLVMValueRef function = api().GetBasicBlockParent(api().GetInstructionParent(variable));
    if (api().GetEntryBasicBlock(function) != api().GetInstructionParent(variable)) continue;
    mark(variable, api().GetNextInstruction(variable), true);
    for (LLVMBasicBlockRef b = api().GetFirstBasicBlock(function); b != nullptr;
         b = api().GetNextBasicBlock(b)) {
      LLVMValueRef end = api().GetBasicBlockTerminator(b);
      if (end != nullptr && opcode_of(end) == LLVMRet) mark(variable, end, false);
    }
  }
  api().DisposeBuilder(builder);
}

bool begins_scope(LLVMValueRef instruction) {
  return calls(instruction, kBegins) || calls(instruction, "llvm.lifetime.start");
}

bool ends_scope(LLVMValueRef instruction) {
  return calls(instruction, kEnds) || calls(instruction, "llvm.lifetime.end");
}

}  // namespace headway::kernel::llvm
