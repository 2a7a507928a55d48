#include "kernel/ptx/addresses.hpp"

#include <algorithm>
#include <vector>

namespace headway::kernel::ptx {
namespace {

// How far numbers are followed.
constexpr int kMostSteps = 64;

const Instruction* definition(const Function& function, ValueId value) {
  if (function.value(value).kind != Value::Kind::instruction) return nullptr;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.result == value) return &i;
    }
  }
  return nullptr;
}

std::optional<ValueId> followed(Builder& builder, ValueId number, bool narrow, int steps) {
  if (builder.type(number).is_pointer()) return number;
  const Instruction* made = definition(builder.function(), number);
  if (made == nullptr || steps == 0) return {};
  const Op op = made->op;
  const std::vector<ValueId> operands = made->operands;  // as others are added
  const auto follow = [&](ValueId from) { return followed(builder, from, narrow, steps - 1); };
  if (op == Op::pointer_to_int) return operands[0];
  if (op == Op::trunc || op == Op::zext) {
    const int least = std::min(builder.type(number).bits, builder.type(operands[0]).bits);
    if (!narrow || least < 32) return {};
    return follow(operands[0]);
  }
  if (op != Op::add && op != Op::sub) return {};
  if (const auto base = follow(operands[0])) {
    const ValueId none = builder.integer(builder.type(number).bits, 0);
    return builder.offset(*base,
                          op == Op::add ? operands[1] : builder.binary(Op::sub, none, operands[1]));
  }
  if (op == Op::sub) return {};
  const auto base = follow(operands[1]);
  return base ? std::optional(builder.offset(*base, operands[0])) : std::nullopt;
}

}  // namespace

std::optional<ValueId> pointer_of(Builder& builder, ValueId number, bool narrow) {
  return followed(builder, number, narrow, kMostSteps);
}

std::optional<Space> space_of(const Module& module, const Builder& builder, ValueId pointer) {
  const Function& function = builder.function();
  const Value& value = function.value(pointer);
  if (value.kind == Value::Kind::address) return module.object(function, value.object).space;
  if (value.kind == Value::Kind::argument) return function.parameters[value.bits].space;
  const Instruction* made = definition(function, pointer);
  if (made == nullptr || made->op != Op::offset) return {};
  return space_of(module, builder, made->operands[0]);
}

}  // namespace headway::kernel::ptx
