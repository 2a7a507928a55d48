// Calls that synchronize: atomic accesses, fences, barriers, and what threads of a subgroup or of a
// workgroup do together. No argument is dropped: one that is not what is modelled is refused.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "kernel/llvm/function_reader.hpp"

namespace headway::kernel::llvm {
namespace {

constexpr Update kUpdates[] = {
    Update::exchange, Update::exchange, Update::exchange, Update::add,      Update::sub,
    Update::bit_and,  Update::bit_or,   Update::bit_xor,  Update::smin,     Update::smax,
    Update::umin,     Update::umax,     Update::wrap_inc, Update::wrap_dec, Update::exchange,
    Update::fadd,     Update::fsub,     Update::fmin,     Update::fmax};

bool is_real_update(Update update) { return update >= Update::fadd; }

// The constants that a value may be, if it is one of several; else false.
bool find_constants(LLVMValueRef value, std::set<std::uint64_t>& constants,
                    std::set<LLVMValueRef>& seen) {
  if (!seen.insert(value).second) return true;
  if (api().IsAConstantInt(value) != nullptr) {
    constants.insert(api().ConstIntGetZExtValue(value));
    return true;
  }
  if (api().IsAInstruction(value) == nullptr) return false;
  const LLVMOpcode opcode = api().GetInstructionOpcode(value);
  if (opcode != LLVMSelect && opcode != LLVMPHI) return false;
  for (int k = opcode == LLVMSelect ? 1 : 0; k < api().GetNumOperands(value); ++k) {
    if (!find_constants(api().GetOperand(value, static_cast<unsigned>(k)), constants, seen))
      return false;
  }
  return true;
}

}  // namespace

Order Call::order(unsigned index) {
  return static_cast<Order>(
      constant(index, "a memory order", static_cast<std::uint64_t>(Order::seq_cst) + 1));
}

Scope Call::scope(unsigned index) {
  return static_cast<Scope>(
      constant(index, "a memory scope", static_cast<std::uint64_t>(Scope::system) + 1));
}

// What the flags that an argument may be order. Images are not memory here.
std::map<std::uint64_t, std::uint8_t> Call::memories(unsigned index) {
  std::set<std::uint64_t> flags;
  std::set<LLVMValueRef> seen;
  if (const std::optional<std::uint64_t> known = builder().known(argument(index))) {
    flags.insert(*known);
  } else if (!find_constants(api().GetOperand(call_, index), flags, seen) || flags.empty()) {
    throw Unsupported("flags of a barrier or fence that are not constant");
  }
  std::map<std::uint64_t, std::uint8_t> result;
  for (const std::uint64_t one : flags) {
    if (one > 7) throw Unsupported("flags of a barrier or fence that are not known");
    result[one] = static_cast<std::uint8_t>(one & 3);
  }
  const std::uint8_t first = result.begin()->second;
  if (std::ranges::all_of(result, [&](const auto& one) { return one.second == first; })) {
    return {{*flags.begin(), first}};
  }
  return result;
}

std::uint8_t Call::memory(unsigned index) {
  const std::map<std::uint64_t, std::uint8_t> all = memories(index);
  if (all.size() > 1) {
    throw Unsupported("flags of a barrier or fence that are now these and now others");
  }
  return all.begin()->second;
}

// A barrier or a fence that orders what flags say. Where these are chosen when the kernel runs
// there is one for each choice, in a block of its own.
void Call::emit_by_flags(const Instruction& made, unsigned index) {
  const std::map<std::uint64_t, std::uint8_t> all = memories(index);
  const auto emit_one = [&](std::uint8_t memory) {
    Instruction one = made;
    one.memory = memory;
    emit(std::move(one), false);
  };
  if (all.size() == 1) return emit_one(all.begin()->second);
  Instruction choice;
  choice.op = Op::choose;
  choice.operands = {argument(index)};
  for (const auto& [flags, memory] : all) {
    if (!choice.targets.empty()) choice.cases.push_back(flags);
    choice.targets.push_back(builder().block("flags"));
  }
  const std::vector<BlockId> ways = choice.targets;
  builder().emit(std::move(choice));
  const BlockId behind = builder().block("flags.end");
  auto way = ways.begin();
  for (const auto& [flags, memory] : all) {
    builder().at(*way++);
    emit_one(memory);
    builder().jump(behind);
  }
  builder().at(behind);
  reader_.ends_[api().GetInstructionParent(call_)] = behind;
}

// The headers give 64 ones where there is no mask, and all of the subgroup take part.
void Call::add_mask(Instruction& made, ValueId mask) {
  if (builder().known(mask) != ~std::uint64_t{0}) made.operands.push_back(mask);
}

Parts Call::read_atomic(int bits) {
  const std::uint64_t operation = constant(0, "an atomic operation", std::size(kUpdates));
  reader_.claim_within(api().GetOperand(call_, 1));
  Instruction made;
  made.type = Type::integer(bits);
  made.order = order(4);
  made.scope = scope(5);
  made.operands = {argument(1)};
  if (operation == 0) {
    made.op = Op::atomic_load;
  } else if (operation == 1) {
    made.op = Op::atomic_store;
    made.operands.push_back(argument(2));
    emit(std::move(made), false);
    return {builder().integer(bits, 0)};
  } else if (operation == 14) {
    made.op = Op::atomic_compare;
    made.operands.push_back(argument(3));
    made.operands.push_back(argument(2));
  } else {
    made.op = Op::atomic_update;
    made.update = kUpdates[operation];
    made.operands.push_back(argument(2));
    if (is_real_update(made.update)) {
      made.type = Type::real(bits);
      made.operands[1] = builder().convert(Op::bitcast, made.operands[1], made.type);
      const Parts old = emit(std::move(made));
      return {builder().convert(Op::bitcast, old.front(), Type::integer(bits))};
    }
  }
  return emit(std::move(made));
}

Parts Call::read_exchange() {
  reader_.claim_within(api().GetOperand(call_, 0));
  Instruction made;
  made.op = Op::atomic_compare;
  made.type = result_type();
  made.operands = {argument(0), argument(2), argument(1)};
  made.order = order(3);
  made.otherwise = order(4);
  if (*made.otherwise == Order::release || *made.otherwise == Order::acquire_release) {
    throw Unsupported("a compare-and-exchange that releases where it fails");
  }
  made.scope = scope(5);
  return emit(std::move(made));
}

// A barrier whose memory has a scope of its own. Beyond those that meet, it orders as a fence does,
// on both sides.
Parts Call::read_scoped_barrier(Scope who) {
  Instruction made;
  made.op = Op::barrier;
  made.scope = who;
  made.order = Order::acquire_release;
  made.memory = memory(0);
  const Scope reach = scope(1);
  if (reach < who) throw Unsupported("a barrier whose memory scope is narrower than it");
  const auto fence = [&](Order order) {
    if (reach == who || made.memory == 0) return;
    Instruction around;
    around.op = Op::fence;
    around.order = order;
    around.scope = reach;
    around.memory = made.memory;
    emit(std::move(around), false);
  };
  fence(Order::acquire_release);
  emit(Instruction(made), false);
  fence(Order::release);
  return {};
}

Parts Call::read_subgroup(Subgroup operation, bool takes_mask_first) {
  Instruction made;
  made.op = Op::subgroup;
  made.subgroup = operation;
  made.type = result_type();
  for (unsigned i = takes_mask_first ? 1 : 0; i < arguments(); ++i)
    made.operands.push_back(argument(i));
  if (takes_mask_first) add_mask(made, argument(0));
  return emit(std::move(made));
}

// Of a subgroup, or of a workgroup, which orders no memory.
Parts Call::read_reduction(Op op) {
  const std::uint64_t operation = constant(0, "the operation of a reduction", std::size(kUpdates));
  const std::uint64_t kind = constant(1, "the kind of a reduction", 3);
  Instruction made;
  made.op = op;
  if (op == Op::barrier_reduce) {
    made.scope = Scope::workgroup;
    made.order = Order::acquire_release;
    made.memory = 0;
  }
  made.subgroup = kind == 0   ? Subgroup::reduce
                  : kind == 1 ? Subgroup::inclusive_scan
                              : Subgroup::exclusive_scan;
  made.update = kUpdates[operation];
  ValueId operand = argument(3);
  const Type type = result_type();
  made.type = is_real_update(made.update) ? Type::real(type.bits) : type;
  operand = builder().convert(Op::bitcast, operand, made.type);
  made.operands = {operand};
  add_mask(made, argument(2));
  const Parts result = emit(std::move(made));
  return {builder().convert(Op::bitcast, result.front(), type)};
}

bool Call::read_synchronization(std::string_view name, Parts& result) {
  std::string_view rest;
  Instruction made;
  made.type = result_type();
  const auto gives = [&](Parts parts) {
    result = std::move(parts);
    return true;
  };
  if (name == "numbered_barrier") {  // whose number 0 is that of __syncthreads()
    made.op = Op::barrier;
    made.scope = Scope::workgroup;
    made.memory = 3;
    made.order = Order::acquire_release;
    const bool counts = builder().known(argument(1)) != 0;
    if (builder().known(argument(0)) != 0 || counts) {
      made.op = Op::numbered_barrier;
      made.operands = {builder().barrier(argument(0))};
      if (counts) made.operands.push_back(builder().resize(argument(1), 64, false));
    }
    return gives(emit(std::move(made), false));
  }
  if (name == "barrier") {
    made.op = Op::barrier;
    made.scope = scope(0);
    made.order = Order::acquire_release;
    emit_by_flags(made, 1);
    return gives({});
  }
  if (name == "barrier_reduce") {
    made.op = Op::barrier_reduce;
    made.scope = Scope::workgroup;
    made.order = Order::acquire_release;
    constexpr Subgroup kinds[] = {Subgroup::count, Subgroup::all, Subgroup::any};
    made.subgroup = kinds[constant(0, "the kind of a barrier", std::size(kinds))];
    made.operands = {truth(argument(1))};
    return gives(emit(std::move(made)));
  }
  if (name == "group_vote") {  // a collective, which orders no memory
    made.op = Op::barrier_reduce;
    made.scope = Scope::workgroup;
    made.order = Order::acquire_release;
    made.memory = 0;
    constexpr Subgroup kinds[] = {Subgroup::count, Subgroup::all, Subgroup::any};
    made.subgroup = kinds[constant(0, "the kind of a vote", std::size(kinds))];
    made.operands = {truth(argument(1))};
    return gives(emit(std::move(made)));
  }
  if (name == "scoped_barrier") return gives(read_scoped_barrier(Scope::workgroup));
  if (name == "scoped_subgroup_barrier") return gives(read_scoped_barrier(Scope::subgroup));
  if (name == "subgroup_barrier") {
    made.op = Op::barrier;
    made.scope = Scope::subgroup;
    made.order = Order::acquire_release;
    add_mask(made, argument(0));
    emit_by_flags(made, 1);
    return gives({});
  }
  if (name == "fence") {
    made.op = Op::fence;
    made.order = order(0);
    made.scope = scope(1);
    emit_by_flags(made, 2);
    return gives({});
  }
  if (behind(name, "atomic_u", rest)) return gives(read_atomic(std::stoi(std::string(rest))));
  if (behind(name, "exchange_if_u", rest)) return gives(read_exchange());
  if (behind(name, "shuffle_u", rest)) {
    constexpr Subgroup modes[] = {Subgroup::shuffle, Subgroup::shuffle_up, Subgroup::shuffle_down,
                                  Subgroup::shuffle_xor};
    made.op = Op::subgroup;
    made.subgroup = modes[constant(0, "the mode of a shuffle", std::size(modes))];
    made.operands = {argument(2), argument(3), argument(4)};
    // Nothing is said of others ("Warp Shuffle Functions", CUDA C++ Programming Guide). That of the
    // whole warp is no constant in our headers.
    const auto width = builder().known(made.operands[2]);
    if (width && reader_.context_.target() == Target::nvptx &&
        (!std::has_single_bit(*width) || *width > 32)) {
      throw Unsupported(
          fmt::format("a shuffle of width {}; expected 1, 2, 4, 8, 16 or 32", *width));
    }
    add_mask(made, argument(1));
    return gives(emit(std::move(made)));
  }
  if (name == "ballot" || name == "vote") {
    const bool votes = name == "vote";
    made.op = Op::subgroup;
    made.subgroup = !votes                                      ? Subgroup::ballot
                    : constant(0, "the kind of a vote", 2) == 0 ? Subgroup::all
                                                                : Subgroup::any;
    made.operands = {truth(argument(votes ? 2 : 1))};
    const ValueId mask = argument(votes ? 1 : 0);
    add_mask(made, mask);
    if (!votes) return gives(emit(std::move(made)));
    made.type = Type::integer(1);
    return gives(Parts{boolean(emit(std::move(made)).front())});
  }
  if (behind(name, "all_equal_u", rest)) {
    made.op = Op::subgroup;
    made.subgroup = Subgroup::all_equal;
    made.type = Type::integer(1);
    made.operands = {argument(1)};
    add_mask(made, argument(0));
    return gives(Parts{boolean(emit(std::move(made)).front())});
  }
  if (behind(name, "match_any_u", rest)) return gives(read_subgroup(Subgroup::match_any, true));
  if (name == "elect") {
    made.op = Op::subgroup;
    made.subgroup = Subgroup::elect;
    made.type = Type::integer(1);
    return gives(Parts{boolean(emit(std::move(made)).front())});
  }
  if (behind(name, "subgroup_reduce_u", rest)) return gives(read_reduction(Op::subgroup));
  if (behind(name, "group_reduce_u", rest)) return gives(read_reduction(Op::barrier_reduce));
  if (behind(name, "group_broadcast_u", rest)) {
    made.op = Op::barrier_reduce;
    made.subgroup = Subgroup::shuffle;
    made.scope = Scope::workgroup;
    made.order = Order::acquire_release;
    made.memory = 0;
    made.operands = {argument(0), argument(1)};
    return gives(emit(std::move(made)));
  }
  return false;
}

}  // namespace headway::kernel::llvm
