// Instructions whose values have several parts, and those that touch memory.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/llvm/function_reader.hpp"
#include "kernel/llvm/scopes.hpp"
#include "kernel/llvm/unset.hpp"

namespace headway::kernel::llvm {
namespace {

Update update_of(LLVMAtomicRMWBinOp op) {
  switch (op) {
    case LLVMAtomicRMWBinOpXchg:
      return Update::exchange;
    case LLVMAtomicRMWBinOpAdd:
      return Update::add;
    case LLVMAtomicRMWBinOpSub:
      return Update::sub;
    case LLVMAtomicRMWBinOpAnd:
      return Update::bit_and;
    case LLVMAtomicRMWBinOpNand:
      return Update::bit_nand;
    case LLVMAtomicRMWBinOpOr:
      return Update::bit_or;
    case LLVMAtomicRMWBinOpXor:
      return Update::bit_xor;
    case LLVMAtomicRMWBinOpMax:
      return Update::smax;
    case LLVMAtomicRMWBinOpMin:
      return Update::smin;
    case LLVMAtomicRMWBinOpUMax:
      return Update::umax;
    case LLVMAtomicRMWBinOpUMin:
      return Update::umin;
    case LLVMAtomicRMWBinOpFAdd:
      return Update::fadd;
    case LLVMAtomicRMWBinOpFSub:
      return Update::fsub;
    case LLVMAtomicRMWBinOpFMax:
      return Update::fmax;
    case LLVMAtomicRMWBinOpFMin:
      return Update::fmin;
    case LLVMAtomicRMWBinOpUIncWrap:
      return Update::wrap_inc;
    case LLVMAtomicRMWBinOpUDecWrap:
      return Update::wrap_dec;
  }
  throw Unsupported("an atomic operation that is not known");
}

}  // namespace

ValueId FunctionReader::packed(const Parts& parts) {
  int bits = 0;
  for (const ValueId part : parts) bits += builder_.type(part).bits;
  if (bits > 64) throw Unsupported(fmt::format("{} bits taken for other ones", bits));
  ValueId all = builder_.integer(bits, 0);
  int at = 0;
  for (const ValueId part : parts) {
    const Type type = builder_.type(part);
    if (type.is_pointer()) throw Unsupported("a pointer taken for several values");
    const ValueId integer =
        type.is_real() ? builder_.convert(Op::bitcast, part, Type::integer(type.bits)) : part;
    const ValueId wide = builder_.resize(integer, bits, false);
    all = builder_.binary(
        Op::bit_or, all,
        builder_.binary(Op::shl, wide, builder_.integer(bits, static_cast<unsigned>(at))));
    at += type.bits;
  }
  return all;
}

Parts FunctionReader::unpacked(ValueId integer, const std::vector<Leaf>& leaves) {
  const int bits = builder_.type(integer).bits;
  Parts all;
  int at = 0;
  for (const Leaf& leaf : leaves) {
    const ValueId shifted =
        builder_.binary(Op::lshr, integer, builder_.integer(bits, static_cast<unsigned>(at)));
    const ValueId low = builder_.resize(shifted, leaf.type.bits, false);
    all.push_back(leaf.type.is_integer() ? low : builder_.convert(Op::bitcast, low, leaf.type));
    at += leaf.type.bits;
  }
  return all;
}

Parts FunctionReader::read_bitcast(LLVMValueRef value) {
  const Parts from = operand(value, 0);
  const std::vector<Leaf> to = context_.leaves(api().TypeOf(value));
  Parts all;
  if (from.size() == to.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      all.push_back(builder_.convert(Op::bitcast, from[i], to[i].type));
    }
    return all;
  }
  // The smallest groups that are equally wide on both sides.
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < from.size()) {
    Parts group;
    std::vector<Leaf> leaves;
    int left = 0;
    int right = 0;
    do {
      if (left <= right) {
        left += builder_.type(from[i]).bits;
        group.push_back(from[i++]);
      } else {
        right += to[j].type.bits;
        leaves.push_back(to[j++]);
      }
    } while (left != right);
    const Parts made = unpacked(packed(group), leaves);
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

Parts FunctionReader::read_offset(LLVMValueRef value) {
  const Parts bases = operand(value, 0);
  if (bases.size() != 1) throw Unsupported("a vector of pointers");
  ValueId pointer = bases.front();
  LLVMTypeRef type = api().GetGEPSourceElementType(value);
  const auto count = static_cast<unsigned>(api().GetNumOperands(value));
  for (unsigned i = 1; i < count; ++i) {
    LLVMValueRef index = api().GetOperand(value, i);
    if (i > 1 && api().GetTypeKind(type) == LLVMStructTypeKind) {
      const auto member = static_cast<unsigned>(api().ConstIntGetZExtValue(index));
      pointer = builder_.offset(pointer, static_cast<std::int64_t>(api().OffsetOfElement(
                                             context_.layout(), type, member)));
      type = api().StructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1) type = api().GetElementType(type);
    const ValueId n = builder_.resize(single(index), 64, true);
    pointer = builder_.offset(
        pointer, builder_.binary(Op::mul, n, builder_.integer(64, context_.bytes(type))));
  }
  return {pointer};
}

// Of an access by a pointer: indices of arrays that are members, or elements of other arrays, are
// within these, as the languages have it. Where an object of its own ends is looked at anyway, and
// an array of one element at the end of a struct may stand for more.
void FunctionReader::claim_within(LLVMValueRef pointer) {
  if (context_.is_foreign()) return;
  const auto is_cast = [](LLVMOpcode opcode) {
    return opcode == LLVMAddrSpaceCast || opcode == LLVMBitCast;
  };
  for (;;) {
    const auto opcode = opcode_of(pointer);
    if (opcode && is_cast(*opcode)) {
      pointer = api().GetOperand(pointer, 0);
      continue;
    }
    if (opcode != LLVMGetElementPtr) return;
    LLVMValueRef base = api().GetOperand(pointer, 0);
    while (opcode_of(base) && is_cast(*opcode_of(base))) base = api().GetOperand(base, 0);
    LLVMTypeRef type = api().GetGEPSourceElementType(pointer);
    const bool is_object =
        (api().IsAGlobalVariable(base) != nullptr && api().GlobalGetValueType(base) == type) ||
        (api().IsAAllocaInst(base) != nullptr && api().GetAllocatedType(base) == type);
    const auto count = static_cast<unsigned>(api().GetNumOperands(pointer));
    for (unsigned i = 2; i < count; ++i) {
      LLVMValueRef index = api().GetOperand(pointer, i);
      switch (api().GetTypeKind(type)) {
        case LLVMStructTypeKind:
          type = api().StructGetTypeAtIndex(
              type, static_cast<unsigned>(api().ConstIntGetZExtValue(index)));
          continue;
        case LLVMArrayTypeKind: {
          const std::uint64_t length = api().GetArrayLength2(type);
          const bool is_whole = i == 2 && is_object;
          if (!is_whole && length > 1) builder_.within(single(index), length);
          type = api().GetElementType(type);
          continue;
        }
        default:
          break;
      }
      break;
    }
    // What the pointer is moved by goes from element to element of something that is not named.
    if (count > 1 && builder_.known(single(api().GetOperand(pointer, 1))) != 0U) return;
    pointer = base;
  }
}

Parts FunctionReader::read_element(LLVMValueRef value) {
  const bool inserts = api().GetInstructionOpcode(value) == LLVMInsertElement;
  Parts all = operand(value, 0);
  const ValueId index = single(api().GetOperand(value, inserts ? 2 : 1));
  const std::optional<std::uint64_t> known = builder_.known(index);
  if (known && *known >= all.size()) throw Unsupported("an element beyond the end of a vector");
  if (!inserts) {
    if (known) return {all[*known]};
    ValueId result = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) {
      const ValueId is_it =
          builder_.binary(Op::eq, index, builder_.integer(builder_.type(index).bits, i));
      result = builder_.select(is_it, all[i], result);
    }
    return {result};
  }
  const ValueId element = single(api().GetOperand(value, 1));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (known) {
      if (*known == i) all[i] = element;
      continue;
    }
    const ValueId is_it =
        builder_.binary(Op::eq, index, builder_.integer(builder_.type(index).bits, i));
    all[i] = builder_.select(is_it, element, all[i]);
  }
  return all;
}

Parts FunctionReader::read_shuffle(LLVMValueRef value) {
  Parts from = operand(value, 0);
  const Parts more = operand(value, 1);
  from.insert(from.end(), more.begin(), more.end());
  const Type element = context_.leaves(api().TypeOf(value)).front().type;
  Parts all;
  for (unsigned i = 0; i < api().GetNumMaskElements(value); ++i) {
    const int at = api().GetMaskValue(value, i);
    all.push_back(at == api().GetUndefMaskElem() ? builder_.undefined(element)
                                                 : from[static_cast<std::size_t>(at)]);
  }
  return all;
}

Parts FunctionReader::read_aggregate(LLVMOpcode opcode, LLVMValueRef value) {
  Parts whole = operand(value, 0);
  LLVMTypeRef type = api().TypeOf(api().GetOperand(value, 0));
  const unsigned* indices = api().GetIndices(value);
  std::size_t first = 0;
  for (unsigned i = 0; i < api().GetNumIndices(value); ++i) {
    if (api().GetTypeKind(type) == LLVMStructTypeKind) {
      for (unsigned j = 0; j < indices[i]; ++j) {
        first += context_.leaves(api().StructGetTypeAtIndex(type, j)).size();
      }
      type = api().StructGetTypeAtIndex(type, indices[i]);
    } else {
      type = api().GetElementType(type);
      first += context_.leaves(type).size() * indices[i];
    }
  }
  const std::size_t count = context_.leaves(type).size();
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
  if (opcode == LLVMExtractValue) return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  const Parts made = operand(value, 1);
  std::copy(made.begin(), made.end(), begin);
  return whole;
}

namespace {

// The name of a variable in the source, which has no dots: clang appends `.addr` to parameters, and
// inlining `.i`. What clang makes itself is called "ref.tmp" or "agg.tmp".
std::string source_name(const std::string& name) {
  if (name.starts_with("ref.tmp") || name.starts_with("agg.")) return "temporary";
  const std::size_t dot = name.find('.');
  return dot == 0 ? name : name.substr(0, dot);
}

// Whether the module says where the scope of a variable begins.
bool has_scope(LLVMValueRef variable) {
  for (LLVMUseRef use = api().GetFirstUse(variable); use != nullptr; use = api().GetNextUse(use)) {
    if (begins_scope(api().GetUser(use))) return true;
  }
  return false;
}

}  // namespace

Parts FunctionReader::read_local(LLVMValueRef value) {
  const std::optional<std::uint64_t> count = builder_.known(single(api().GetOperand(value, 0)));
  if (!count) throw Unsupported("an array whose length is not known when it is compiled");
  LLVMTypeRef type = api().GetAllocatedType(value);
  Object made;
  made.name = source_name(name_of(value));
  made.space = Space::local;
  made.bytes = context_.bytes(type) * *count;
  made.align = static_cast<int>(api().GetAlignment(value));
  made.line = builder_.place().line;
  const ValueId address = builder_.address(builder_.local(std::move(made)));
  if (!has_scope(value)) builder_.operation(Op::begin_lifetime, {}, {address});
  return {address};
}

Instruction FunctionReader::atomic(Op op, LLVMValueRef value, Type type) const {
  Instruction made;
  made.op = op;
  made.type = type;
  made.is_volatile = api().GetVolatile(value) != 0;
  made.scope = scope_of(value, context_.target());
  return made;
}

namespace {

// A store to the whole of a variable of what nobody has set.
bool sets_nothing(LLVMValueRef store) {
  LLVMValueRef written = api().GetOperand(store, 0), variable = api().GetOperand(store, 1);
  return unset_variable(written) && api().IsAAllocaInst(variable) != nullptr &&
         api().GetAllocatedType(variable) == api().TypeOf(written);
}

}  // namespace

Parts FunctionReader::read_memory(LLVMOpcode opcode, LLVMValueRef value) {
  const bool loads = opcode == LLVMLoad;
  // A variable that stays in memory holds nothing where it begins.
  if (!loads && (sets_nothing(value) || is_of_compiler(value))) {
    builder_.operation(Op::begin_lifetime, {}, {single(api().GetOperand(value, 1))});
    return {};
  }
  claim_within(api().GetOperand(value, loads ? 0 : 1));
  const ValueId pointer = single(api().GetOperand(value, loads ? 0 : 1));
  const bool is_volatile = api().GetVolatile(value) != 0;
  const std::uint32_t align = api().GetAlignment(value);
  const bool is_atomic = api().GetOrdering(value) != LLVMAtomicOrderingNotAtomic;
  const std::vector<Leaf> leaves =
      context_.leaves(loads ? api().TypeOf(value) : api().TypeOf(api().GetOperand(value, 0)));
  const Parts stored = loads ? Parts() : operand(value, 0);
  if (is_atomic && leaves.size() != 1) throw Unsupported("an atomic access of several parts");
  Parts all;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const ValueId at = builder_.offset(pointer, static_cast<std::int64_t>(leaves[i].at));
    if (is_atomic) {
      Instruction made = atomic(loads ? Op::atomic_load : Op::atomic_store, value, leaves[i].type);
      made.order = order_of(api().GetOrdering(value));
      made.operands = {at};
      if (loads) made.result = builder_.forward(leaves[i].type);
      if (!loads) made.operands.push_back(stored[i]);
      all.push_back(builder_.emit(std::move(made)));
    } else if (loads) {
      all.push_back(builder_.load(at, leaves[i].type, is_volatile, align_at(align, leaves[i].at)));
    } else {
      builder_.store(at, stored[i], is_volatile, align_at(align, leaves[i].at), i > 0);
    }
  }
  return loads ? all : Parts();
}

Parts FunctionReader::read_update(LLVMValueRef value) {
  claim_within(api().GetOperand(value, 0));
  const ValueId operand_value = single(api().GetOperand(value, 1));
  const Type type = builder_.type(operand_value);
  Instruction made = atomic(Op::atomic_update, value, type);
  made.order = order_of(api().GetOrdering(value));
  made.update = update_of(api().GetAtomicRMWBinOp(value));
  made.operands = {single(api().GetOperand(value, 0)), operand_value};
  made.result = builder_.forward(type);
  return {builder_.emit(std::move(made))};
}

Parts FunctionReader::read_exchange(LLVMValueRef value) {
  claim_within(api().GetOperand(value, 0));
  const ValueId expected = single(api().GetOperand(value, 1));
  const Type type = builder_.type(expected);
  Instruction made = atomic(Op::atomic_compare, value, type);
  made.order = order_of(api().GetCmpXchgSuccessOrdering(value));
  made.otherwise = order_of(api().GetCmpXchgFailureOrdering(value));
  made.operands = {single(api().GetOperand(value, 0)), expected,
                   single(api().GetOperand(value, 2))};
  made.result = builder_.forward(type);
  const ValueId old = builder_.emit(std::move(made));
  return {old, builder_.binary(Op::eq, old, expected)};
}

// That a call says of a pointer which it passes on.
std::uint32_t Call::alignment(unsigned index) const {
  constexpr std::string_view name = "align";
  LLVMAttributeRef attribute = api().GetCallSiteEnumAttribute(
      call_, index + 1, api().GetEnumAttributeKindForName(name.data(), name.size()));
  return attribute == nullptr ? 1
                              : static_cast<std::uint32_t>(api().GetEnumAttributeValue(attribute));
}

Parts Call::read_copy() {
  for (const unsigned k : {0U, 1U}) reader_.claim_within(api().GetOperand(call_, k));
  Instruction made;
  made.op = Op::copy;
  made.align = alignment(0);
  made.align_from = alignment(1);
  made.operands = {argument(0), argument(1), builder().resize(argument(2), 64, false)};
  if (builder().known(made.operands[2]) == 0) return {};
  return emit(std::move(made), false);
}

Parts Call::read_fill() {
  reader_.claim_within(api().GetOperand(call_, 0));
  Instruction made;
  made.op = Op::fill;
  made.operands = {argument(0), argument(1), builder().resize(argument(2), 64, false)};
  if (builder().known(made.operands[2]) == 0) return {};
  return emit(std::move(made), false);
}

}  // namespace headway::kernel::llvm
