// printf in kernels: what it is shown, what it reads, and what it gives.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kernel/llvm/function_reader.hpp"

namespace headway::kernel::llvm {
namespace {

// What a pointer goes into, where that takes no choice.
LLVMValueRef behind_casts(LLVMValueRef pointer) {
  for (;;) {
    const auto opcode = opcode_of(pointer);
    if (opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast && opcode != LLVMGetElementPtr) {
      return pointer;
    }
    pointer = api().GetOperand(pointer, 0);
  }
}

bool is_constant(LLVMValueRef value) {
  return api().IsAGlobalVariable(value) != nullptr && api().IsGlobalConstant(value) != 0 &&
         api().GetInitializer(value) != nullptr;
}

// Whether a pointer goes into a constant, whatever is chosen on the way.
bool is_text(LLVMValueRef pointer, std::set<LLVMValueRef>& seen) {
  LLVMValueRef value = behind_casts(pointer);
  if (is_constant(value) || !seen.insert(value).second) return true;
  if (api().IsAInstruction(value) == nullptr) return false;
  const LLVMOpcode opcode = api().GetInstructionOpcode(value);
  if (opcode == LLVMSelect) {
    return is_text(api().GetOperand(value, 1), seen) && is_text(api().GetOperand(value, 2), seen);
  }
  if (opcode != LLVMPHI) return false;
  for (unsigned k = 0; k < api().CountIncoming(value); ++k) {
    if (!is_text(api().GetIncomingValue(value, k), seen)) return false;
  }
  return true;
}

// The conversion of each argument behind a format, '*' for a width; nothing where the format is not
// known.
std::optional<std::string> conversions_of(LLVMValueRef pointer) {
  LLVMValueRef constant = behind_casts(pointer);
  if (!is_constant(constant)) return {};
  LLVMValueRef text = api().GetInitializer(constant);
  if (api().IsNull(text) != 0) return "";
  if (api().IsConstantString(text) == 0) return {};
  std::size_t length = 0;
  const char* bytes = api().GetAsString(text, &length);
  const std::string_view format(bytes, length);
  std::string result;
  for (std::size_t k = 0; k < format.size(); ++k) {
    if (format[k] != '%') continue;
    constexpr std::string_view modifiers = "-+ #0123456789.*hlLqjztv";
    for (++k; k < format.size() && modifiers.find(format[k]) != std::string_view::npos; ++k) {
      if (format[k] == '*') result += '*';
    }
    if (k < format.size() && format[k] != '%') result += format[k];
  }
  return result;
}

// What is stored as an argument in the struct that clang packs; nullptr where that is not plain.
LLVMValueRef packed_argument(LLVMValueRef packed, std::size_t number) {
  LLVMValueRef result = nullptr;
  for (LLVMUseRef use = api().GetFirstUse(packed); use != nullptr; use = api().GetNextUse(use)) {
    LLVMValueRef place = api().GetUser(use);
    if (api().GetInstructionOpcode(place) != LLVMGetElementPtr ||
        api().GetNumOperands(place) != 3 ||
        api().ConstIntGetZExtValue(api().GetOperand(place, 2)) != number) {
      continue;
    }
    for (LLVMUseRef of = api().GetFirstUse(place); of != nullptr; of = api().GetNextUse(of)) {
      LLVMValueRef store = api().GetUser(of);
      if (result != nullptr || api().GetInstructionOpcode(store) != LLVMStore) return nullptr;
      result = api().GetOperand(store, 0);
    }
  }
  return result;
}

}  // namespace

// A '%s' reads memory up to a 0, which goes right whatever others do where nobody writes it.
void Call::require_texts(std::string_view name) {
  const auto conversions = conversions_of(api().GetOperand(call_, 0));
  if (!conversions) throw Unsupported("a format of printf that is no text of the program");
  LLVMValueRef packed = name == "printf" ? nullptr : api().GetOperand(call_, 1);
  const auto given = [&](std::size_t k) -> LLVMValueRef {
    if (packed == nullptr) {
      return k + 1 < arguments() ? api().GetOperand(call_, static_cast<unsigned>(k + 1)) : nullptr;
    }
    return api().IsAAllocaInst(packed) != nullptr ? packed_argument(packed, k) : nullptr;
  };
  for (std::size_t k = 0; k < conversions->size(); ++k) {
    if ((*conversions)[k] == 'n') throw Unsupported("a '%n' in what is printed");
    if ((*conversions)[k] != 's') continue;
    LLVMValueRef pointer = given(k);
    std::set<LLVMValueRef> seen;
    if (pointer == nullptr || !is_text(pointer, seen)) {
      throw Unsupported("a '%s' in what is printed, of memory that is no text of the program");
    }
  }
}

// OpenCL C's gives 0 or, where it fails, -1. CUDA's gives the number of arguments behind the
// format; those of vprintf clang has put into a struct.
Parts Call::read_print(std::string_view name) {
  require_texts(name);
  const auto show = [&](ValueId value) {
    Instruction made;
    made.op = Op::claim;
    made.claim = Claim::shown;
    made.operands = {value};
    emit(std::move(made), false);
  };
  if (name == "printf") {
    for (unsigned k = 1; k < arguments(); ++k) {
      const Parts parts = reader_.operand(call_, k);
      std::for_each(parts.begin(), parts.end(), show);
    }
  } else if (LLVMValueRef packed = api().GetOperand(call_, 1);
             api().IsAAllocaInst(packed) != nullptr) {
    const ValueId at = reader_.single(packed);
    for (const Leaf& leaf : reader_.context_.leaves(api().GetAllocatedType(packed))) {
      show(builder().load(builder().offset(at, static_cast<std::int64_t>(leaf.at)), leaf.type));
    }
  }
  if (api().GetFirstUse(call_) == nullptr) return Parts(result_type().is_integer() ? 1 : 0);
  const Type type = result_type();
  if (reader_.context_.target() == Target::spir) {
    Instruction made;
    made.op = Op::unknown;
    made.type = Type::integer(1);
    return {builder().convert(Op::sext, emit(std::move(made)).front(), type)};
  }
  if (name == "printf") return {builder().constant(type, arguments() - 1)};
  LLVMValueRef packed = api().GetOperand(call_, 1);
  if (api().IsNull(packed)) return {builder().constant(type, 0)};
  if (api().IsAAllocaInst(packed) == nullptr) {
    throw Unsupported("the result of a printf whose arguments are not here");
  }
  return {builder().constant(type, api().CountStructElementTypes(api().GetAllocatedType(packed)))};
}

}  // namespace headway::kernel::llvm
