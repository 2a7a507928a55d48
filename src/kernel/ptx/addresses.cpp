#include "kernel/ptx/addresses.hpp"

#include <algorithm>
#include <cstdint>
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

class Following {
 public:
  Following(Builder& builder, bool shared, const SharedAddresses& all)
      : builder_(builder), shared_(shared), all_(all) {}

  std::optional<ValueId> pointer(ValueId number, int steps) {
    if (builder_.type(number).is_pointer()) return shared_ ? std::nullopt : std::optional(number);
    const Instruction* made = definition(builder_.function(), number);
    if (made == nullptr || steps == 0) return {};
    const Op op = made->op;
    const std::vector<ValueId> operands = made->operands;  // as others are added
    if (op == Op::pointer_to_int) {
      return all_.contains(number) == shared_ ? std::optional(operands[0]) : std::nullopt;
    }
    if (op == Op::trunc || op == Op::zext) {
      const int least = std::min(builder_.type(number).bits, builder_.type(operands[0]).bits);
      return shared_ && least >= 32 ? pointer(operands[0], steps - 1) : std::nullopt;
    }
    if (op != Op::add && op != Op::sub) return {};
    if (const auto base = pointer(operands[0], steps - 1)) {
      const ValueId none = builder_.integer(builder_.type(number).bits, 0);
      return builder_.offset(
          *base, op == Op::add ? operands[1] : builder_.binary(Op::sub, none, operands[1]));
    }
    if (op == Op::sub) return {};
    const auto base = pointer(operands[1], steps - 1);
    return base ? std::optional(builder_.offset(*base, operands[0])) : std::nullopt;
  }

 private:
  Builder& builder_;
  bool shared_;
  const SharedAddresses& all_;
};

}  // namespace

std::optional<ValueId> pointer_of(Builder& builder, ValueId number, bool shared,
                                  const SharedAddresses& all) {
  return Following(builder, shared, all).pointer(number, kMostSteps);
}

void drop_unused_numbers(Function& function) {
  std::vector<std::uint32_t> users(function.values.size());
  const auto count = [&](const Instruction& i, std::uint32_t by) {
    for (const ValueId operand : i.operands) users[operand] += by;
  };
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) count(i, 1);
  }
  const auto is_unused = [&](const Instruction& i) {
    const bool is_number = is_one_of(i.op, OpClass::resizing, OpClass::reinterpretation) ||
                           i.op == Op::add || i.op == Op::sub || i.op == Op::offset;
    if (!is_number || users[i.result] > 0) return false;
    count(i, ~std::uint32_t{0});
    return true;
  };
  std::size_t dropped = 0;
  do {
    dropped = 0;
    for (Block& block : function.blocks) dropped += std::erase_if(block.code, is_unused);
  } while (dropped > 0);
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
