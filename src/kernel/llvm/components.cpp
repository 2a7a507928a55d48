#include "kernel/llvm/components.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/llvm/function_reader.hpp"

namespace headway::kernel::llvm {
namespace {

bool is_vector(LLVMValueRef value) {
  return api().GetTypeKind(api().TypeOf(value)) == LLVMVectorTypeKind;
}

std::optional<unsigned> constant_index(LLVMValueRef value) {
  if (api().IsAConstantInt(value) == nullptr) return {};
  return static_cast<unsigned>(api().ConstIntGetZExtValue(value));
}

// A load or store of a vector in memory; `pointer` is the number of that operand. A variable of the
// function's own becomes registers, as it is.
bool is_access(LLVMValueRef access, unsigned pointer) {
  return api().GetVolatile(access) == 0 &&
         api().IsAAllocaInst(api().GetOperand(access, pointer)) == nullptr;
}

// What a store gives to one place of the vector: nothing where that keeps what is loaded there, or
// is filling; else a scalar, or of a vector the component `index`.
struct Part {
  LLVMValueRef value = nullptr;
  unsigned index = 0;
};

class Parting {
 public:
  explicit Parting(LLVMModuleRef module)
      : context_(api().GetModuleContext(module)),
        builder_(api().CreateBuilderInContext(context_)) {}
  ~Parting() { api().DisposeBuilder(builder_); }
  Parting(const Parting&) = delete;
  Parting& operator=(const Parting&) = delete;

  void store(LLVMValueRef store) {
    LLVMValueRef value = api().GetOperand(store, 0), pointer = api().GetOperand(store, 1);
    if (!is_vector(value) || !is_access(store, 1)) return;
    const bool is_chosen = opcode_of(value) == LLVMInsertElement &&
                           !constant_index(api().GetOperand(value, 2)) &&
                           is_loaded(api().GetOperand(value, 0), pointer);
    if (!is_chosen && !changes(value, pointer)) return;
    begin(store);
    if (is_chosen) {  // as the kernel runs
      LLVMValueRef scalar = api().GetOperand(value, 1);
      LLVMValueRef at = place(pointer, value, api().GetOperand(value, 2));
      api().SetAlignment(api().BuildStore(builder_, scalar, at), alignment(store, scalar, 1));
      api().InstructionEraseFromParent(store);
      erase_unused(value);
      return;
    }
    const unsigned size = api().GetVectorSize(api().TypeOf(value));
    for (unsigned i = 0; i < size; ++i) {
      const Part part = part_of(value, i);
      if (part.value == nullptr) continue;
      LLVMValueRef scalar =
          is_vector(part.value)
              ? api().BuildExtractElement(builder_, part.value, number(part.index), "")
              : part.value;
      api().SetAlignment(api().BuildStore(builder_, scalar, place(pointer, value, number(i))),
                         alignment(store, scalar, i));
    }
    api().InstructionEraseFromParent(store);
    erase_unused(value);
  }

  void load(LLVMValueRef load) {
    if (!is_vector(load) || !is_access(load, 0)) return;
    std::vector<LLVMValueRef> users;
    for (LLVMUseRef use = api().GetFirstUse(load); use != nullptr; use = api().GetNextUse(use)) {
      LLVMValueRef user = api().GetUser(use);
      if (opcode_of(user) != LLVMExtractElement && !swizzles(user)) return;
      users.push_back(user);
    }
    for (LLVMValueRef user : users) {
      begin(user);
      LLVMValueRef result = nullptr;
      if (opcode_of(user) == LLVMExtractElement) {
        result = component(load, api().GetOperand(user, 1));
      } else {
        result = api().GetPoison(api().TypeOf(user));
        for (unsigned i = 0; i < api().GetNumMaskElements(user); ++i) {
          const int from = api().GetMaskValue(user, i);
          if (from == api().GetUndefMaskElem()) continue;
          result = api().BuildInsertElement(builder_, result,
                                            component(load, number(static_cast<unsigned>(from))),
                                            number(i), "");
        }
      }
      api().ReplaceAllUsesWith(user, result);
      api().InstructionEraseFromParent(user);
    }
    api().InstructionEraseFromParent(load);
  }

 private:
  void begin(LLVMValueRef at) {
    api().PositionBuilderBefore(builder_, at);
    api().SetCurrentDebugLocation2(builder_, api().InstructionGetDebugLoc(at));
  }
  LLVMValueRef number(unsigned n) {
    return api().ConstInt(api().Int32TypeInContext(context_), n, 0);
  }
  // As of an array, whose index has an end.
  LLVMValueRef place(LLVMValueRef pointer, LLVMValueRef vector, LLVMValueRef index) {
    LLVMTypeRef type = api().TypeOf(vector);
    LLVMTypeRef array = api().ArrayType2(api().GetElementType(type), api().GetVectorSize(type));
    LLVMValueRef path[] = {number(0), index};
    return api().BuildGEP2(builder_, array, pointer, path, 2, "");
  }
  LLVMValueRef component(LLVMValueRef load, LLVMValueRef index) {
    LLVMTypeRef type = api().GetElementType(api().TypeOf(load));
    LLVMValueRef at = place(api().GetOperand(load, 0), load, index);
    LLVMValueRef result = api().BuildLoad2(builder_, type, at, "");
    const auto known = constant_index(index);
    api().SetAlignment(result, alignment(load, result, known ? *known : 1));
    return result;
  }
  // Of component i of what is as aligned as `access` says.
  static unsigned alignment(LLVMValueRef access, LLVMValueRef scalar, unsigned i) {
    const auto bytes = static_cast<unsigned>(api().ABISizeOfType(
        api().GetModuleDataLayout(
            api().GetGlobalParent(api().GetBasicBlockParent(api().GetInstructionParent(access)))),
        api().TypeOf(scalar)));
    const unsigned whole = api().GetAlignment(access);
    return i == 0 ? whole : std::min(whole, (i * bytes) & (0U - i * bytes));
  }

  // What the store alone used.
  static void erase_unused(LLVMValueRef changed) {
    LLVMValueRef loaded = api().GetOperand(changed, 0);
    for (LLVMValueRef value : {changed, loaded}) {
      if (api().GetFirstUse(value) == nullptr) api().InstructionEraseFromParent(value);
    }
  }

  // Components in another order, or fewer, or with filling behind them.
  static bool swizzles(LLVMValueRef value) {
    if (opcode_of(value) != LLVMShuffleVector) return false;
    LLVMValueRef second = api().GetOperand(value, 1);
    return api().IsPoison(second) || api().IsUndef(second);
  }
  // The whole vector as it is in memory.
  static bool is_loaded(LLVMValueRef value, LLVMValueRef pointer) {
    return opcode_of(value) == LLVMLoad && api().GetOperand(value, 0) == pointer;
  }
  // That with some components changed; which, is constant. A vector that the source puts together
  // of components, as (int4)((*p).xyz, 1), comes from a variable of its own, and is stored whole.
  static bool changes(LLVMValueRef value, LLVMValueRef pointer) {
    const bool is_insert = opcode_of(value) == LLVMInsertElement &&
                           constant_index(api().GetOperand(value, 2)).has_value();
    const bool is_mix =
        opcode_of(value) == LLVMShuffleVector && !swizzles(value) && keeps_places(value);
    return (is_insert || is_mix) && is_loaded(api().GetOperand(value, 0), pointer);
  }
  // What comes of its first operand, of which it has no more components, stays where it was.
  static bool keeps_places(LLVMValueRef shuffle) {
    const unsigned first = api().GetVectorSize(api().TypeOf(api().GetOperand(shuffle, 0)));
    for (unsigned i = 0; i < api().GetNumMaskElements(shuffle); ++i) {
      const int from = api().GetMaskValue(shuffle, i);
      if (from == api().GetUndefMaskElem()) continue;
      const auto at = static_cast<unsigned>(from);
      if (at < first && at != i) return false;
    }
    return true;
  }
  static Part part_of(LLVMValueRef changed, unsigned i) {
    if (opcode_of(changed) == LLVMInsertElement) {
      const bool is_here = constant_index(api().GetOperand(changed, 2)) == i;
      return is_here ? Part{api().GetOperand(changed, 1), 0} : Part{};
    }
    const int from = api().GetMaskValue(changed, i);
    if (from == api().GetUndefMaskElem()) return {};
    const unsigned first = api().GetVectorSize(api().TypeOf(api().GetOperand(changed, 0)));
    const auto at = static_cast<unsigned>(from);
    return at < first ? Part{} : Part{api().GetOperand(changed, 1), at - first};
  }

  LLVMContextRef context_;
  LLVMBuilderRef builder_;
};

}  // namespace

void part_components(LLVMModuleRef module) {
  const auto all = [&](LLVMOpcode op) {
    std::vector<LLVMValueRef> found;
    for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
         f = api().GetNextFunction(f)) {
      for_each_instruction(f, [&](LLVMValueRef i) {
        if (opcode_of(i) == op) found.push_back(i);
      });
    }
    return found;
  };
  Parting parting(module);
  for (LLVMValueRef store : all(LLVMStore)) parting.store(store);
  for (LLVMValueRef load : all(LLVMLoad)) parting.load(load);
}

}  // namespace headway::kernel::llvm
