#include "kernel/llvm/postconditions.hpp"

#include <map>
#include <string_view>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {

namespace {

std::string_view name_of_callee(LLVMValueRef instruction) {
  if (api().GetInstructionOpcode(instruction) != LLVMCall) return {};
  std::size_t length = 0;
  const char* name = api().GetValueName2(api().GetCalledValue(instruction), &length);
  return {name, length};
}

// One __ensures.
class Postcondition {
 public:
  explicit Postcondition(LLVMValueRef claim)
      : claim_(claim),
        block_(api().GetInstructionParent(claim)),
        builder_(api().CreateBuilderInContext(
            api().GetModuleContext(api().GetGlobalParent(api().GetCalledValue(claim))))) {}
  ~Postcondition() { api().DisposeBuilder(builder_); }
  Postcondition(const Postcondition&) = delete;
  Postcondition& operator=(const Postcondition&) = delete;

  bool can_move(const std::vector<LLVMValueRef>& returns) const {
    // Places tell what belongs to a condition.
    if (api().InstructionGetDebugLoc(claim_) == nullptr) return false;
    if (block_ != api().GetEntryBasicBlock(api().GetBasicBlockParent(block_))) return false;
    for (LLVMValueRef end : returns) {
      if (!can_move(claim_, end)) return false;
    }
    return !returns.empty();
  }

  // Whether the condition, which may branch, reads nothing and calls nothing: it is made of
  // arguments and what was computed before, and is the same at the end.
  bool is_timeless() const {
    LLVMValueRef function = api().GetBasicBlockParent(block_);
    for (LLVMBasicBlockRef b = api().GetFirstBasicBlock(function); b != nullptr;
         b = api().GetNextBasicBlock(b)) {
      for (LLVMValueRef i = api().GetFirstInstruction(b); i != nullptr;
           i = api().GetNextInstruction(i)) {
        const LLVMOpcode op = api().GetInstructionOpcode(i);
        if (i == claim_ || (op != LLVMLoad && op != LLVMCall)) continue;
        if (has_its_place(i) && !name_of_callee(i).starts_with("llvm.")) return false;
      }
    }
    return true;
  }

  void stay(LLVMValueRef ensured) {
    api().PositionBuilderBefore(builder_, claim_);
    claim(api().GetOperand(claim_, 0), ensured);
    api().InstructionEraseFromParent(claim_);
  }

  void move(const std::vector<LLVMValueRef>& returns, LLVMValueRef ensured) {
    for (LLVMValueRef end : returns) {
      made_.clear();
      end_ = end;
      api().PositionBuilderBefore(builder_, end);
      claim(again(api().GetOperand(claim_, 0)), ensured);
    }
    // What nobody else uses is gone from the start: it would read memory there.
    std::vector<LLVMValueRef> own;
    for (LLVMValueRef i = api().GetFirstInstruction(block_); i != claim_;
         i = api().GetNextInstruction(i)) {
      if (is_part(i)) own.push_back(i);
    }
    api().InstructionEraseFromParent(claim_);
    for (; !own.empty(); own.pop_back()) {
      if (api().GetFirstUse(own.back()) == nullptr) api().InstructionEraseFromParent(own.back());
    }
  }

 private:
  void claim(LLVMValueRef condition, LLVMValueRef ensured) {
    api().SetCurrentDebugLocation2(builder_, api().InstructionGetDebugLoc(claim_));
    api().BuildCall2(builder_, api().GlobalGetValueType(ensured), ensured, &condition, 1, "");
  }

  // All that a macro makes has its place.
  bool has_its_place(LLVMValueRef instruction) const {
    LLVMMetadataRef here = api().InstructionGetDebugLoc(instruction),
                    own = api().InstructionGetDebugLoc(claim_);
    if (here == nullptr || own == nullptr) return here == own;
    return api().DILocationGetLine(here) == api().DILocationGetLine(own) &&
           api().DILocationGetColumn(here) == api().DILocationGetColumn(own);
  }

  bool is_part(LLVMValueRef value) const {
    if (api().IsAInstruction(value) == nullptr || api().GetInstructionParent(value) != block_) {
      return false;
    }
    const LLVMOpcode op = api().GetInstructionOpcode(value);
    return op != LLVMPHI && op != LLVMAlloca && op != LLVMStore && has_its_place(value);
  }

  static bool is_returned(LLVMValueRef i) {
    return name_of_callee(i).starts_with("__headway_returned_u");
  }
  static bool is_old(LLVMValueRef i) { return name_of_callee(i).starts_with("__headway_old_u"); }

  bool can_move(LLVMValueRef i, LLVMValueRef end) const {
    if (is_old(i)) return true;
    if (is_returned(i)) {
      return api().GetNumOperands(end) == 1 && as_returned(end, i, false) != nullptr;
    }
    const int operands = api().GetNumOperands(i);
    for (int k = 0; k < operands; ++k) {
      LLVMValueRef operand = api().GetOperand(i, static_cast<unsigned>(k));
      if (api().IsAInstruction(operand) == nullptr) continue;
      // Control flow in a condition.
      if (api().GetInstructionOpcode(operand) == LLVMPHI) return false;
      if (is_part(operand) && !can_move(operand, end)) return false;
    }
    return true;
  }

  // The value that `end` returns, in the type of a call that asks for it. Null: there is no such.
  LLVMValueRef as_returned(LLVMValueRef end, LLVMValueRef asked, bool build) const {
    LLVMValueRef value = api().GetOperand(end, 0);
    LLVMTypeRef is = api().TypeOf(value), wanted = api().TypeOf(asked);
    if (is == wanted) return value;
    if (api().GetTypeKind(is) == LLVMIntegerTypeKind && api().GetIntTypeWidth(is) == 1) {
      return build ? api().BuildZExt(builder_, value, wanted, "") : value;
    }
    if (api().GetTypeKind(is) == LLVMPointerTypeKind && api().GetIntTypeWidth(wanted) == 64) {
      return build ? api().BuildPtrToInt(builder_, value, wanted, "") : value;
    }
    return nullptr;
  }

  LLVMValueRef again(LLVMValueRef value) {
    if (!is_part(value)) return value;
    if (is_old(value)) return api().GetOperand(value, 0);
    if (const auto known = made_.find(value); known != made_.end()) return known->second;
    if (is_returned(value)) return as_returned(end_, value, true);
    std::vector<LLVMValueRef> operands;
    const int count = api().GetNumOperands(value);
    operands.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      operands.push_back(again(api().GetOperand(value, static_cast<unsigned>(k))));
    }
    LLVMValueRef made = api().InstructionClone(value);
    for (int k = 0; k < count; ++k) {
      api().SetOperand(made, static_cast<unsigned>(k), operands[static_cast<std::size_t>(k)]);
    }
    api().InsertIntoBuilder(builder_, made);
    return made_[value] = made;
  }

  LLVMValueRef claim_;
  LLVMBasicBlockRef block_;
  LLVMBuilderRef builder_;
  LLVMValueRef end_ = nullptr;
  std::map<LLVMValueRef, LLVMValueRef> made_;  // at one return
};

}  // namespace

void move_postconditions(LLVMModuleRef module) {
  LLVMValueRef ensures = api().GetNamedFunction(module, "__headway_ensures");
  if (ensures == nullptr) return;
  LLVMValueRef ensured =
      api().AddFunction(module, "__headway_ensured", api().GlobalGetValueType(ensures));
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (api().IsDeclaration(f)) continue;
    std::vector<LLVMValueRef> claims, returns;
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (api().GetInstructionOpcode(i) == LLVMRet) returns.push_back(i);
      if (name_of_callee(i) == "__headway_ensures") claims.push_back(i);
    });
    for (LLVMValueRef claim : claims) {
      Postcondition one(claim);
      if (one.can_move(returns)) {
        one.move(returns, ensured);
      } else if (one.is_timeless()) {
        one.stay(ensured);
      }
    }
  }
}

}  // namespace headway::kernel::llvm
