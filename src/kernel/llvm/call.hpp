// A call that is left after inlining: of the functions that the headers of headway reduce
// everything to, of LLVM's intrinsics and of the C library's mathematics. Any other is kept as
// external, for whoever knows it or refuses it.
#pragma once

#include <string>

#include "kernel/llvm/function_reader.hpp"

namespace headway::kernel::llvm {

class Call {
 public:
  Call(FunctionReader& reader, LLVMValueRef call) : reader_(reader), call_(call) {}

  // What the call gives.
  Parts read();

 private:
  Parts read_headway(std::string_view name);
  Parts read_intrinsic(std::string_view name);
  Parts read_atomic(int bits);
  Parts read_subgroup(Subgroup operation, bool takes_mask_first);
  Parts read_reduction();
  Parts read_copy();
  Parts read_fill();
  Parts read_external(const std::string& name);
  bool read_math(std::string_view name, Parts& result);

  Builder& builder() { return reader_.builder_; }
  ValueId argument(unsigned index) { return reader_.single(api().GetOperand(call_, index)); }
  unsigned arguments() const { return api().GetNumArgOperands(call_); }
  // Of an argument that has to be known.
  std::uint64_t constant(unsigned index, std::string_view what);
  ValueId truth(ValueId value);  // whether it is not 0
  ValueId boolean(ValueId bit);  // one bit as what the call gives
  Type result_type();
  Parts emit(Instruction made, bool gives = true);
  Parts emit_math(Math math, unsigned operands);

  FunctionReader& reader_;
  LLVMValueRef call_;
};

}  // namespace headway::kernel::llvm
