// One function of a module -> kernel IR, instruction by instruction. Vectors and aggregates are
// taken apart, so that an LLVM value is a list of values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/ir/read_only.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/ptx/inline_assembly.hpp"

namespace headway::kernel::llvm {

using Parts = std::vector<ValueId>;

class FunctionReader {
 public:
  FunctionReader(Context& context, Function& into) : context_(context), builder_(into) {}

  // Throws Unsupported; place() is where.
  void read(LLVMValueRef function);
  Place place() const { return builder_.place(); }
  const std::vector<ReadOnlyRead>& read_only() const { return read_only_; }

 private:
  friend class Call;

  void read_parameters(LLVMValueRef function);
  void name_parameters();
  void read_instruction(LLVMValueRef instruction);
  // Instructions and constant expressions.
  Parts read_operation(LLVMOpcode opcode, LLVMValueRef value);
  Parts read_unset(LLVMValueRef value, const std::string& variable);
  Parts read_binary(Op op, LLVMValueRef value);
  Parts read_conversion(Op op, LLVMValueRef value);
  Parts read_bitcast(LLVMValueRef value);
  Parts read_offset(LLVMValueRef value);
  Parts read_element(LLVMValueRef value);
  Parts read_shuffle(LLVMValueRef value);
  Parts read_aggregate(LLVMOpcode opcode, LLVMValueRef value);
  void claim_within(LLVMValueRef pointer);
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
  std::unordered_map<LLVMBasicBlockRef, BlockId> ends_;  // of those that became several
  std::vector<LLVMValueRef> phis_;
  std::vector<ReadOnlyRead> read_only_;
  ptx::SharedAddresses shared_addresses_;
};

// The part of `name` behind `prefix`, if it begins so.
inline bool behind(std::string_view name, std::string_view prefix, std::string_view& rest) {
  if (!name.starts_with(prefix)) return false;
  rest = name.substr(prefix.size());
  return true;
}

// A call that is left after inlining: of the functions that the headers of headway reduce
// everything to, of LLVM's intrinsics and of the C library's mathematics. Any other is kept as
// external, for whoever knows it or refuses it.
class Call {
 public:
  Call(FunctionReader& reader, LLVMValueRef call) : reader_(reader), call_(call) {}

  // What the call gives.
  Parts read();

 private:
  Parts read_headway(std::string_view name);
  Parts read_assembly(LLVMValueRef assembly);
  std::vector<ptx::InlineOperand> assembly_operands(LLVMValueRef assembly, bool is_empty);
  Parts read_intrinsic(std::string_view name);
  bool read_synchronization(std::string_view name, Parts& result);
  void read_name();                           // of a variable of the kernel's own
  void require_texts(std::string_view name);  // of printf on the device
  Parts read_print(std::string_view name);    // what it gives
  Parts read_atomic(int bits);
  Parts read_exchange();  // with an order of its own where it fails
  Parts read_scoped_barrier(Scope who);
  Parts read_subgroup(Subgroup operation, bool takes_mask_first);
  Parts read_reduction(Op op);
  Parts overflow_of_words(Op op, bool is_signed, ValueId a, ValueId b);
  std::uint32_t alignment(unsigned index) const;
  Parts read_copy();
  Parts read_fill();
  Parts read_external(const std::string& name);
  bool read_math(std::string_view name, Parts& result);

  Builder& builder() { return reader_.builder_; }
  ValueId argument(unsigned index);
  unsigned arguments() const { return api().GetNumArgOperands(call_); }
  // Of an argument that has to be known, and below a number.
  std::uint64_t constant(unsigned index, std::string_view what,
                         std::uint64_t below = ~std::uint64_t{0});
  Order order(unsigned index);
  Scope scope(unsigned index);
  std::map<std::uint64_t, std::uint8_t> memories(unsigned index);
  std::uint8_t memory(unsigned index);
  void emit_by_flags(const Instruction& made, unsigned index);
  void add_mask(Instruction& made, ValueId mask);
  ValueId truth(ValueId value);  // whether it is not 0
  ValueId boolean(ValueId bit);  // one bit as what the call gives
  Type result_type();
  Parts emit(Instruction made, bool gives = true);
  Parts emit_math(Math math, unsigned operands);

  FunctionReader& reader_;
  LLVMValueRef call_;
};

// Blocks that can be reached, each before those that it leads to but for loops.
std::vector<LLVMBasicBlockRef> reverse_post_order(LLVMValueRef function);

Scope scope_of(LLVMValueRef atomic, Target target);
Order order_of(LLVMAtomicOrdering ordering);

}  // namespace headway::kernel::llvm
