// One function of a module -> kernel IR, instruction by instruction. Vectors and aggregates are
// taken apart, so that an LLVM value is a list of values.
#pragma once

#include <unordered_map>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {

using Parts = std::vector<ValueId>;

class FunctionReader {
 public:
  FunctionReader(Context& context, Function& into) : context_(context), builder_(into) {}

  // Throws Unsupported; place() is where.
  void read(LLVMValueRef function);
  Place place() const { return builder_.place(); }

 private:
  friend class Call;

  void read_parameters(LLVMValueRef function);
  void read_instruction(LLVMValueRef instruction);
  // Instructions and constant expressions.
  Parts read_operation(LLVMOpcode opcode, LLVMValueRef value);
  Parts read_binary(Op op, LLVMValueRef value);
  Parts read_conversion(Op op, LLVMValueRef value);
  Parts read_bitcast(LLVMValueRef value);
  Parts read_offset(LLVMValueRef value);
  Parts read_element(LLVMValueRef value);
  Parts read_shuffle(LLVMValueRef value);
  Parts read_aggregate(LLVMOpcode opcode, LLVMValueRef value);
  Parts read_local(LLVMValueRef value);
  Parts read_memory(LLVMOpcode opcode, LLVMValueRef value);
  Parts read_update(LLVMValueRef value);
  Parts read_exchange(LLVMValueRef value);
  void read_fence(LLVMValueRef value);
  void read_branch(LLVMValueRef value);
  void read_choice(LLVMValueRef value);
  void finish_phis();

  Parts operand(LLVMValueRef instruction, unsigned index);
  Parts parts(LLVMValueRef value);
  Parts constant(LLVMValueRef value);
  ValueId single(LLVMValueRef value);
  BlockId block(LLVMBasicBlockRef block) { return blocks_.at(block); }
  // Parts as one integer, the first the lowest, and back.
  ValueId packed(const Parts& parts);
  Parts unpacked(ValueId integer, const std::vector<Leaf>& leaves);
  Instruction atomic(Op op, LLVMValueRef value, Type type) const;

  Context& context_;
  Builder builder_;
  std::unordered_map<LLVMValueRef, Parts> values_;
  std::unordered_map<LLVMBasicBlockRef, BlockId> blocks_;
  std::vector<LLVMValueRef> phis_;
};

// Blocks that can be reached, each before those that it leads to but for loops.
std::vector<LLVMBasicBlockRef> reverse_post_order(LLVMValueRef function);

Scope scope_of(LLVMValueRef atomic, Target target);
Order order_of(LLVMAtomicOrdering ordering);

}  // namespace headway::kernel::llvm
