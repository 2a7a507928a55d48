#include "kernel/llvm/function_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/tidy.hpp"
#include "kernel/llvm/debug_types.hpp"
#include "kernel/llvm/unset.hpp"

namespace headway::kernel::llvm {
namespace {

// Of what is printed of a value, for messages: no more than a line.
std::string shown(LLVMValueRef value) {
  std::string text = text_of(value);
  const auto end = text.find(", !dbg");
  if (end != std::string::npos) text.resize(end);
  if (text.size() > 100) text.resize(100);
  return text;
}

Op comparison(LLVMIntPredicate predicate) {
  switch (predicate) {
    case LLVMIntEQ:
      return Op::eq;
    case LLVMIntNE:
      return Op::ne;
    case LLVMIntUGT:
      return Op::ugt;
    case LLVMIntUGE:
      return Op::uge;
    case LLVMIntULT:
      return Op::ult;
    case LLVMIntULE:
      return Op::ule;
    case LLVMIntSGT:
      return Op::sgt;
    case LLVMIntSGE:
      return Op::sge;
    case LLVMIntSLT:
      return Op::slt;
    case LLVMIntSLE:
      return Op::sle;
  }
  return Op::eq;
}

}  // namespace

std::vector<LLVMBasicBlockRef> reverse_post_order(LLVMValueRef function) {
  std::vector<LLVMBasicBlockRef> order;
  std::unordered_set<LLVMBasicBlockRef> seen;
  struct Visit {
    LLVMBasicBlockRef block;
    unsigned next;
  };
  LLVMBasicBlockRef entry = api().GetEntryBasicBlock(function);
  std::vector<Visit> stack{{entry, 0}};
  seen.insert(entry);
  while (!stack.empty()) {
    Visit& top = stack.back();
    LLVMValueRef end = api().GetBasicBlockTerminator(top.block);
    if (end != nullptr && top.next < api().GetNumSuccessors(end)) {
      LLVMBasicBlockRef next = api().GetSuccessor(end, top.next++);
      if (seen.insert(next).second) stack.push_back({next, 0});
    } else {
      order.push_back(top.block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Scope scope_of(LLVMValueRef atomic, Target target) {
  // The C interface of LLVM 19 does not tell.
  const std::string text = text_of(atomic);
  const auto at = text.find("syncscope(\"");
  if (at == std::string::npos) return Scope::system;
  const std::string name = text.substr(at + 11, text.find('"', at + 11) - at - 11);
  if (name == "singlethread") return Scope::thread;
  if (name == "subgroup" || name == "wavefront") return Scope::subgroup;
  if (name == "workgroup" || name == "block") return Scope::workgroup;
  if (name == "device" || name == "agent" || name == "all_svm_devices") return Scope::device;
  if (name.empty() || name == "system") return Scope::system;
  throw Unsupported(fmt::format("the scope '{}' of an atomic access{}", name,
                                target == Target::host ? " of the host" : ""));
}

Order order_of(LLVMAtomicOrdering ordering) {
  switch (ordering) {
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
      return Order::relaxed;
    case LLVMAtomicOrderingAcquire:
      return Order::acquire;
    case LLVMAtomicOrderingRelease:
      return Order::release;
    case LLVMAtomicOrderingAcquireRelease:
      return Order::acquire_release;
    case LLVMAtomicOrderingSequentiallyConsistent:
      return Order::seq_cst;
    case LLVMAtomicOrderingNotAtomic:
      break;
  }
  throw Unsupported("an atomic access of an order that is not known");
}

void FunctionReader::read(LLVMValueRef function) {
  const std::vector<LLVMBasicBlockRef> order = reverse_post_order(function);
  for (LLVMBasicBlockRef of : order) blocks_[of] = builder_.block(api().GetBasicBlockName(of));
  builder_.at(builder_.function().place);
  read_parameters(function);
  for (LLVMBasicBlockRef of : order) {
    builder_.at(block(of));
    for (LLVMValueRef i = api().GetFirstInstruction(of); i != nullptr;
         i = api().GetNextInstruction(i)) {
      LLVMMetadataRef location = api().InstructionGetDebugLoc(i);
      if (location != nullptr) builder_.at(context_.place(location));
      read_instruction(i);
    }
  }
  finish_phis();
  name_parameters();
  if (!shared_addresses_.empty()) ptx::drop_unused_numbers(builder_.function());
  if (!ends_.empty()) order_blocks(builder_.function());
}

// Of modules that keep names neither of values nor of variables.
void FunctionReader::name_parameters() {
  Function& function = builder_.function();
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    std::string& name = function.parameters[i].name;
    if (name.empty()) name = fmt::format("arg{}", i);
    function.values[function.arguments[i]].name = name;
  }
}

void FunctionReader::read_parameters(LLVMValueRef function) {
  const unsigned by_value = api().GetEnumAttributeKindForName("byval", 5);
  Function& into = builder_.function();
  const std::vector<Pointee> elements = pointed_to(context_, function);
  for (unsigned i = 0; i < api().CountParams(function); ++i) {
    LLVMValueRef parameter = api().GetParam(function, i);
    LLVMTypeRef type = api().TypeOf(parameter);
    Parameter made;
    made.name = name_of(parameter);
    const std::vector<Leaf> leaves = context_.leaves(type);
    if (leaves.size() != 1) {
      // A vector or an aggregate passed in registers: as many parameters.
      Parts all;
      for (std::size_t part = 0; part < leaves.size(); ++part) {
        Parameter one;
        one.name = fmt::format("{}.{}", made.name, part);
        one.type = leaves[part].type;
        const ValueId value = builder_.argument(one.type, into.parameters.size(), one.name);
        into.parameters.push_back(std::move(one));
        into.arguments.push_back(value);
        all.push_back(value);
      }
      values_[parameter] = std::move(all);
      continue;
    }
    made.type = leaves.front().type;
    if (made.type.is_pointer()) {
      made.space = context_.space(api().GetPointerAddressSpace(type));
      if (!elements.empty()) {
        made.element_bytes = elements[i].bytes;
        made.element_type = elements[i].type;
        made.align = elements[i].align;
      }
      LLVMAttributeRef attribute = api().GetEnumAttributeAtIndex(function, i + 1, by_value);
      if (attribute != nullptr) {
        LLVMTypeRef whole = api().GetTypeAttributeValue(attribute);
        made.by_value = context_.bytes(whole);
        for (const Leaf& leaf : context_.leaves(whole)) {
          if (leaf.type.is_pointer()) made.pointers.push_back(leaf.at);
        }
        made.space = Space::local;
      }
    }
    const ValueId value = builder_.argument(made.type, into.parameters.size(), made.name);
    into.parameters.push_back(std::move(made));
    into.arguments.push_back(value);
    values_[parameter] = {value};
  }
}

Parts FunctionReader::operand(LLVMValueRef instruction, unsigned index) {
  return parts(api().GetOperand(instruction, index));
}

Parts FunctionReader::parts(LLVMValueRef value) {
  const auto found = values_.find(value);
  if (found != values_.end()) return found->second;
  switch (api().GetValueKind(value)) {
    case LLVMInstructionValueKind:
    case LLVMArgumentValueKind:
      throw Unsupported("a value used before it is computed");
    default:
      return constant(value);
  }
}

ValueId FunctionReader::single(LLVMValueRef value) {
  const Parts all = parts(value);
  if (all.size() != 1) throw Unsupported("an operand of several parts: " + shown(value));
  return all.front();
}

Parts FunctionReader::constant(LLVMValueRef value) {
  const auto kind = api().GetValueKind(value);
  if (kind == LLVMConstantExprValueKind) return read_operation(api().GetConstOpcode(value), value);
  if (kind == LLVMGlobalVariableValueKind || kind == LLVMFunctionValueKind) {
    return {builder_.address(context_.object(value))};
  }
  if (kind == LLVMInlineAsmValueKind) throw Unsupported("inline assembly");
  LLVMTypeRef type = api().TypeOf(value);
  const LLVMTypeKind type_kind = api().GetTypeKind(type);
  if (type_kind == LLVMVectorTypeKind || type_kind == LLVMArrayTypeKind ||
      type_kind == LLVMStructTypeKind) {
    const std::uint64_t count = type_kind == LLVMVectorTypeKind ? api().GetVectorSize(type)
                                : type_kind == LLVMArrayTypeKind
                                    ? api().GetArrayLength2(type)
                                    : api().CountStructElementTypes(type);
    Parts all;
    for (unsigned i = 0; i < count; ++i) {
      const Parts one = parts(api().GetAggregateElement(value, i));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  const Type scalar = context_.scalar(type);
  if (api().IsUndef(value) || api().IsPoison(value)) return {builder_.undefined(scalar)};
  if (api().IsNull(value)) return {builder_.constant(scalar, 0)};
  if (scalar.is_integer() && api().IsAConstantInt(value) != nullptr) {
    return {builder_.constant(scalar, api().ConstIntGetZExtValue(value))};
  }
  if (scalar.is_real()) {
    LLVMBool lossy = 0;
    return {builder_.constant(scalar,
                              from_double(api().ConstRealGetDouble(value, &lossy), scalar.bits))};
  }
  throw Unsupported("the constant " + shown(value));
}

void FunctionReader::read_instruction(LLVMValueRef instruction) {
  const LLVMOpcode opcode = api().GetInstructionOpcode(instruction);
  switch (opcode) {
    case LLVMPHI: {
      Parts all;
      for (const Leaf& leaf : context_.leaves(api().TypeOf(instruction))) {
        all.push_back(builder_.forward(leaf.type, name_of(instruction)));
      }
      values_[instruction] = std::move(all);
      phis_.push_back(instruction);
      return;
    }
    case LLVMBr:
      return read_branch(instruction);
    case LLVMSwitch:
      return read_choice(instruction);
    case LLVMFence:
      return read_fence(instruction);
    case LLVMRet: {
      Instruction end;
      end.op = Op::ret;
      if (api().GetNumOperands(instruction) > 0) {
        const Parts given = operand(instruction, 0);
        if (given.size() == 1) {
          end.operands = given;
          builder_.function().returns = builder_.type(given.front());
        }
      }
      builder_.emit(std::move(end));
      return;
    }
    case LLVMUnreachable: {
      Instruction end;
      end.op = Op::unreachable;
      builder_.emit(std::move(end));
      return;
    }
    default:
      values_[instruction] = read_operation(opcode, instruction);
  }
}

Parts FunctionReader::read_operation(LLVMOpcode opcode, LLVMValueRef value) {
  switch (opcode) {
    case LLVMAdd:
      return read_binary(Op::add, value);
    case LLVMSub:
      return read_binary(Op::sub, value);
    case LLVMMul:
      return read_binary(Op::mul, value);
    case LLVMUDiv:
      return read_binary(Op::udiv, value);
    case LLVMSDiv:
      return read_binary(Op::sdiv, value);
    case LLVMURem:
      return read_binary(Op::urem, value);
    case LLVMSRem:
      return read_binary(Op::srem, value);
    case LLVMShl:
      return read_binary(Op::shl, value);
    case LLVMLShr:
      return read_binary(Op::lshr, value);
    case LLVMAShr:
      return read_binary(Op::ashr, value);
    case LLVMAnd:
      return read_binary(Op::bit_and, value);
    case LLVMOr:
      return read_binary(Op::bit_or, value);
    case LLVMXor:
      return read_binary(Op::bit_xor, value);
    case LLVMFAdd:
      return read_binary(Op::fadd, value);
    case LLVMFSub:
      return read_binary(Op::fsub, value);
    case LLVMFMul:
      return read_binary(Op::fmul, value);
    case LLVMFDiv:
      return read_binary(Op::fdiv, value);
    case LLVMFRem:
      return read_binary(Op::frem, value);
    case LLVMICmp:
      return read_binary(comparison(api().GetICmpPredicate(value)), value);
    case LLVMFCmp: {
      const Parts a = operand(value, 0);
      const Parts b = operand(value, 1);
      Parts all;
      for (std::size_t i = 0; i < a.size(); ++i) {
        Instruction compare;
        compare.op = Op::fcompare;
        compare.compare = static_cast<Compare>(api().GetFCmpPredicate(value));
        compare.type = Type::integer(1);
        compare.operands = {a[i], b[i]};
        compare.result = builder_.forward(compare.type);
        all.push_back(builder_.emit(std::move(compare)));
      }
      return all;
    }
    case LLVMFNeg: {
      Parts all;
      for (const ValueId a : operand(value, 0)) {
        all.push_back(builder_.operation(Op::fneg, builder_.type(a), {a}));
      }
      return all;
    }
    case LLVMTrunc:
      return read_conversion(Op::trunc, value);
    case LLVMZExt:
      return read_conversion(Op::zext, value);
    case LLVMSExt:
      return read_conversion(Op::sext, value);
    case LLVMFPTrunc:
      return read_conversion(Op::ftrunc, value);
    case LLVMFPExt:
      return read_conversion(Op::fext, value);
    case LLVMFPToUI:
      return read_conversion(Op::real_to_uint, value);
    case LLVMFPToSI:
      return read_conversion(Op::real_to_sint, value);
    case LLVMUIToFP:
      return read_conversion(Op::uint_to_real, value);
    case LLVMSIToFP:
      return read_conversion(Op::sint_to_real, value);
    case LLVMPtrToInt:
      return read_conversion(Op::pointer_to_int, value);
    case LLVMIntToPtr:
      return read_conversion(Op::int_to_pointer, value);
    case LLVMBitCast:
      return read_bitcast(value);
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
      return operand(value, 0);
    case LLVMSelect: {
      const Parts condition = operand(value, 0);
      const Parts a = operand(value, 1);
      const Parts b = operand(value, 2);
      Parts all;
      for (std::size_t i = 0; i < a.size(); ++i) {
        all.push_back(builder_.select(condition[condition.size() == 1 ? 0 : i], a[i], b[i]));
      }
      return all;
    }
    case LLVMGetElementPtr:
      return read_offset(value);
    case LLVMExtractElement:
    case LLVMInsertElement:
      return read_element(value);
    case LLVMShuffleVector:
      return read_shuffle(value);
    case LLVMExtractValue:
    case LLVMInsertValue:
      return read_aggregate(opcode, value);
    case LLVMAlloca:
      return read_local(value);
    case LLVMLoad:
    case LLVMStore:
      return read_memory(opcode, value);
    case LLVMAtomicRMW:
      return read_update(value);
    case LLVMAtomicCmpXchg:
      return read_exchange(value);
    case LLVMCall:
      if (const auto variable = unset_variable(value)) return read_unset(value, *variable);
      return Call(*this, value).read();
    default:
      throw Unsupported("the instruction " + shown(value));
  }
}

// What a variable holds before it is set. Nobody looks at most of these.
Parts FunctionReader::read_unset(LLVMValueRef value, const std::string& variable) {
  if (api().GetFirstUse(value) == nullptr) return {};
  Parts all;
  for (const Leaf& leaf : context_.leaves(api().TypeOf(value))) {
    all.push_back(builder_.undefined(leaf.type, variable));
  }
  return all;
}

Parts FunctionReader::read_binary(Op op, LLVMValueRef value) {
  const Parts a = operand(value, 0);
  const Parts b = operand(value, 1);
  Parts all;
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back(builder_.binary(op, a[i], b[i]));
  return all;
}

Parts FunctionReader::read_conversion(Op op, LLVMValueRef value) {
  const std::vector<Leaf> to = context_.leaves(api().TypeOf(value));
  const Parts from = operand(value, 0);
  // Those of NVIDIA's devices saturate. C++ leaves them open, and narrower ones go by way of a type
  // that the compiler chooses.
  const bool saturates = (op == Op::real_to_sint || op == Op::real_to_uint) &&
                         context_.target() == Target::nvptx && to.front().type.bits >= 32;
  Parts all;
  for (std::size_t i = 0; i < from.size(); ++i) {
    all.push_back(builder_.convert(op, from[i], to[i].type, saturates));
  }
  return all;
}

void FunctionReader::read_fence(LLVMValueRef value) {
  Instruction made;
  made.op = Op::fence;
  made.order = order_of(api().GetOrdering(value));
  made.scope = scope_of(value, context_.target());
  builder_.emit(std::move(made));
}

void FunctionReader::read_branch(LLVMValueRef value) {
  if (!api().IsConditional(value)) return builder_.jump(block(api().GetSuccessor(value, 0)));
  builder_.branch(single(api().GetCondition(value)), block(api().GetSuccessor(value, 0)),
                  block(api().GetSuccessor(value, 1)));
}

void FunctionReader::read_choice(LLVMValueRef value) {
  Instruction made;
  made.op = Op::choose;
  made.operands = {single(api().GetOperand(value, 0))};
  made.targets = {block(api().GetSwitchDefaultDest(value))};
  for (unsigned i = 1; i < api().GetNumSuccessors(value); ++i) {
    made.cases.push_back(api().ConstIntGetZExtValue(api().GetOperand(value, 2 * i)));
    made.targets.push_back(block(api().GetSuccessor(value, i)));
  }
  builder_.emit(std::move(made));
}

void FunctionReader::finish_phis() {
  for (LLVMValueRef phi : phis_) {
    const BlockId in = block(api().GetInstructionParent(phi));
    const Parts& results = values_.at(phi);
    std::vector<std::pair<BlockId, Parts>> incoming;
    for (unsigned i = 0; i < api().CountIncoming(phi); ++i) {
      const LLVMBasicBlockRef source = api().GetIncomingBlock(phi, i);
      if (!blocks_.contains(source)) continue;  // cannot be reached
      const BlockId from = ends_.contains(source) ? ends_.at(source) : block(source);
      const bool known = std::any_of(incoming.begin(), incoming.end(),
                                     [&](const auto& one) { return one.first == from; });
      if (known) continue;  // several edges of one switch
      // Constants alone may come to be here, and those need no instruction.
      builder_.at(from);
      const std::size_t before = builder_.function().blocks[from].code.size();
      incoming.emplace_back(from, parts(api().GetIncomingValue(phi, i)));
      if (builder_.function().blocks[from].code.size() != before) {
        throw Unsupported("the constant expression " + shown(api().GetIncomingValue(phi, i)));
      }
    }
    LLVMMetadataRef location = api().InstructionGetDebugLoc(phi);
    builder_.at(location == nullptr ? Place() : context_.place(location));
    for (std::size_t part = 0; part < results.size(); ++part) {
      std::vector<std::pair<BlockId, ValueId>> one;
      one.reserve(incoming.size());
      for (const auto& [from, all] : incoming) one.emplace_back(from, all[part]);
      builder_.phi(in, results[part], one);
    }
  }
}

}  // namespace headway::kernel::llvm
