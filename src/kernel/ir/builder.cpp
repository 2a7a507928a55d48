#include "kernel/ir/builder.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel {

ValueId Builder::add(Value value) {
  function_.values.push_back(std::move(value));
  return static_cast<ValueId>(function_.values.size() - 1);
}

ValueId Builder::constant(Type type, std::uint64_t bits) {
  const auto [found, is_new] =
      shared_.try_emplace({static_cast<int>(Value::Kind::constant), static_cast<int>(type.kind),
                           type.bits, kNone, bits});
  if (is_new) found->second = add({Value::Kind::constant, type, bits, kNone, {}});
  return found->second;
}

ValueId Builder::integer(int bits, std::uint64_t value) {
  return constant(Type::integer(bits), low_bits(value, bits));
}

ValueId Builder::undefined(Type type, std::string name) {
  return add({Value::Kind::undefined, type, 0, kNone, std::move(name)});
}

ValueId Builder::address(ObjectId object, std::uint64_t offset) {
  const auto [found, is_new] =
      shared_.try_emplace({static_cast<int>(Value::Kind::address),
                           static_cast<int>(Type::Kind::pointer), 64, object, offset});
  if (is_new) found->second = add({Value::Kind::address, Type::pointer(), offset, object, {}});
  return found->second;
}

ValueId Builder::argument(Type type, std::uint64_t parameter, std::string name) {
  return add({Value::Kind::argument, type, parameter, kNone, std::move(name)});
}

ObjectId Builder::local(Object object) {
  function_.locals.push_back(std::move(object));
  return kFirstLocal + static_cast<ObjectId>(function_.locals.size() - 1);
}

ValueId Builder::forward(Type type, std::string name) {
  return add({Value::Kind::instruction, type, 0, kNone, std::move(name)});
}

std::optional<std::uint64_t> Builder::known(ValueId id) const {
  const Value& of = value(id);
  if (of.kind != Value::Kind::constant) return {};
  return of.bits;
}

BlockId Builder::block(std::string name) {
  Block made;
  made.name = std::move(name);
  function_.blocks.push_back(std::move(made));
  return static_cast<BlockId>(function_.blocks.size() - 1);
}

ValueId Builder::emit(Instruction instruction) {
  if (instruction.place.line == 0) instruction.place = place_;
  const ValueId result = instruction.result;
  function_.blocks[block_].code.push_back(std::move(instruction));
  return result;
}

ValueId Builder::operation(Op op, Type type, std::initializer_list<ValueId> operands) {
  Instruction instruction;
  instruction.op = op;
  instruction.type = type;
  instruction.operands = operands;
  if (type.kind != Type::Kind::none) instruction.result = forward(type);
  return emit(std::move(instruction));
}

ValueId Builder::builtin(Builtin which, int dimension, Type type) {
  Instruction instruction;
  instruction.op = Op::builtin;
  instruction.builtin = which;
  instruction.dimension = static_cast<std::uint8_t>(dimension);
  instruction.type = type;
  instruction.result = forward(type);
  return emit(std::move(instruction));
}

ValueId Builder::binary(Op op, ValueId a, ValueId b) {
  const bool compares = is_comparison(op);
  const Type result = compares ? Type::integer(1) : type(a);
  const auto x = known(a);
  const auto y = known(b);
  if (x && y) {
    if (result.is_real()) return constant(result, real_result(op, result.bits, *x, *y));
    if (const auto folded = integer_result(op, type(a).bits, *x, *y))
      return constant(result, *folded);
  }
  if (!result.is_real() && !type(a).is_pointer()) {
    // What leaves the other operand as it is.
    const bool adds = op == Op::add || op == Op::bit_or || op == Op::bit_xor;
    if (y == 0 && (adds || op == Op::sub || op == Op::shl || op == Op::lshr || op == Op::ashr)) {
      return a;
    }
    if (x == 0 && adds) return b;
    if (y == 1 && (op == Op::mul || op == Op::udiv || op == Op::sdiv) && result.bits > 1) return a;
    if (x == 1 && op == Op::mul && result.bits > 1) return b;
    if ((x == 0 || y == 0) && (op == Op::mul || op == Op::bit_and)) return constant(result, 0);
  }
  return operation(op, result, {a, b});
}

ValueId Builder::convert(Op op, ValueId a, Type to, bool saturates) {
  const Type from = type(a);
  if (from == to) return a;
  const Value& of = value(a);
  if (of.kind == Value::Kind::undefined) return undefined(to);
  if (of.kind == Value::Kind::constant && !from.is_pointer() && !to.is_pointer()) {
    if (const auto folded = converted(op, from, to, of.bits, saturates))
      return constant(to, *folded);
  }
  if (of.kind == Value::Kind::constant && (from.is_pointer() || to.is_pointer()) &&
      op != Op::trunc) {
    return constant(to, of.bits);  // null plus a number, and back
  }
  Instruction instruction;
  instruction.op = op;
  instruction.type = to;
  instruction.operands = {a};
  instruction.saturates = saturates;
  instruction.result = forward(to);
  return emit(std::move(instruction));
}

ValueId Builder::resize(ValueId a, int bits, bool is_signed) {
  const int from = type(a).bits;
  if (from == bits) return a;
  return convert(from > bits ? Op::trunc : is_signed ? Op::sext : Op::zext, a, Type::integer(bits));
}

ValueId Builder::select(ValueId condition, ValueId a, ValueId b) {
  if (a == b) return a;
  if (const auto which = known(condition)) return *which != 0 ? a : b;
  return operation(Op::select, type(a), {condition, a, b});
}

ValueId Builder::offset(ValueId pointer, ValueId bytes) {
  const ValueId wide = resize(bytes, 64, true);
  if (const auto by = known(wide)) return offset(pointer, static_cast<std::int64_t>(*by));
  return operation(Op::offset, Type::pointer(), {pointer, wide});
}

ValueId Builder::offset(ValueId pointer, std::int64_t bytes) {
  if (bytes == 0) return pointer;
  const Value of = value(pointer);
  const auto by = static_cast<std::uint64_t>(bytes);
  if (of.kind == Value::Kind::address) return address(of.object, of.bits + by);
  if (of.kind == Value::Kind::constant) return constant(Type::pointer(), of.bits + by);
  return operation(Op::offset, Type::pointer(), {pointer, integer(64, by)});
}

ValueId Builder::load(ValueId pointer, Type type, bool is_volatile, std::uint32_t align) {
  Instruction instruction;
  instruction.op = Op::load;
  instruction.type = type;
  instruction.operands = {pointer};
  instruction.is_volatile = is_volatile;
  instruction.align = align;
  instruction.result = forward(type);
  return emit(std::move(instruction));
}

void Builder::store(ValueId pointer, ValueId value, bool is_volatile, std::uint32_t align,
                    bool is_further_part) {
  Instruction instruction;
  instruction.op = Op::store;
  instruction.type = type(value);
  instruction.operands = {pointer, value};
  instruction.is_volatile = is_volatile;
  instruction.align = align;
  instruction.is_further_part = is_further_part;
  emit(std::move(instruction));
}

void Builder::within(ValueId index, std::uint64_t count) {
  const auto at = known(index);
  const ValueId wide = resize(index, 64, true);
  if (at && known(wide) < count) return;
  Instruction made;
  made.op = Op::claim;
  made.claim = Claim::within;
  made.operands = {binary(Op::ult, wide, integer(64, count))};
  made.name = fmt::format("an index of an array of {} element{}", count, count == 1 ? "" : "s");
  emit(std::move(made));
}

ValueId Builder::barrier(ValueId number) {
  std::size_t local = 0;
  while (local < function_.locals.size() && function_.locals[local].symbol != kBarrierObject) {
    ++local;
  }
  if (local == function_.locals.size()) {
    Object made;
    made.name = made.symbol = kBarrierObject;
    made.space = Space::workgroup;
    made.bytes = std::uint64_t{kBarriers} * kBarrierBytes;
    made.align = kBarrierBytes;
    made.initial.emplace(made.bytes);
    this->local(std::move(made));
  }
  const ValueId first = address(kFirstLocal + static_cast<ObjectId>(local));
  return offset(first, binary(Op::mul, resize(number, 64, false), integer(64, kBarrierBytes)));
}

void Builder::jump(BlockId target) {
  Instruction instruction;
  instruction.op = Op::jump;
  instruction.targets = {target};
  emit(std::move(instruction));
}

void Builder::branch(ValueId condition, BlockId then, BlockId otherwise) {
  if (then == otherwise) return jump(then);
  Instruction instruction;
  instruction.op = Op::branch;
  instruction.operands = {condition};
  instruction.targets = {then, otherwise};
  emit(std::move(instruction));
}

void Builder::phi(BlockId block, ValueId result,
                  const std::vector<std::pair<BlockId, ValueId>>& incoming) {
  Instruction instruction;
  instruction.op = Op::phi;
  instruction.type = type(result);
  instruction.result = result;
  instruction.place = place_;
  for (const auto& [from, value] : incoming) {
    instruction.targets.push_back(from);
    instruction.operands.push_back(value);
  }
  std::vector<Instruction>& code = function_.blocks[block].code;
  auto end = code.begin();
  while (end != code.end() && end->op == Op::phi) ++end;
  code.insert(end, std::move(instruction));
}

}  // namespace headway::kernel
