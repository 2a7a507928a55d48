#include "kernel/ir/well_formed.hpp"

#include <fmt/format.h>

#include <cassert>
#include <set>

namespace headway::kernel {

std::optional<std::string> objection(const Module& module, const Function& function) {
  if (!function.unsupported.empty()) return {};
  if (function.blocks.empty()) return "a function without blocks";
  if (function.arguments.size() != function.parameters.size())
    return "arguments and parameters differ";
  const std::size_t values = function.values.size();
  std::vector<bool> given(values, false);
  for (std::size_t v = 0; v < values; ++v) {
    const Value& value = function.values[v];
    given[v] = value.kind != Value::Kind::instruction;
    if (value.kind == Value::Kind::address &&
        (value.object < kFirstLocal ? value.object >= module.objects.size()
                                    : value.object - kFirstLocal >= function.locals.size())) {
      return fmt::format("value {} is the address of an object that is not there", v);
    }
    if (value.type.kind == Type::Kind::none) return fmt::format("value {} has no type", v);
  }
  std::vector<std::set<BlockId>> before(function.blocks.size());
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const std::vector<Instruction>& code = function.blocks[b].code;
    if (code.empty() || !is_end(code.back().op)) return fmt::format("block {} has no end", b);
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Instruction& instruction = code[i];
      if (i + 1 < code.size() && is_end(instruction.op)) {
        return fmt::format("block {} goes on behind its end", b);
      }
      if (instruction.result != kNone) {
        if (instruction.result >= values || given[instruction.result]) {
          return fmt::format("block {}: value {} is given twice", b, instruction.result);
        }
        given[instruction.result] = true;
      }
      for (const ValueId operand : instruction.operands) {
        if (operand >= values) return fmt::format("block {}: an operand that is not there", b);
      }
      if (!takes(instruction.op, instruction.operands.size())) {
        return fmt::format("block {}: '{}' with {} operands", b, name_of(instruction.op),
                           instruction.operands.size());
      }
      if (is_end(instruction.op)) {
        for (const BlockId target : instruction.targets) {
          if (target >= function.blocks.size()) return fmt::format("block {} leads nowhere", b);
          before[target].insert(static_cast<BlockId>(b));
        }
      }
    }
  }
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    bool phis = true;
    for (const Instruction& instruction : function.blocks[b].code) {
      for (const ValueId operand : instruction.operands) {
        if (!given[operand]) return fmt::format("block {}: value {} is never given", b, operand);
      }
      if (instruction.op != Op::phi) {
        phis = false;
        continue;
      }
      if (!phis) return fmt::format("block {}: a phi behind other instructions", b);
      const std::set<BlockId> from(instruction.targets.begin(), instruction.targets.end());
      if (from != before[b] || from.size() != instruction.operands.size()) {
        return fmt::format("block {}: a phi that does not fit the blocks before it", b);
      }
    }
  }
  return {};
}

void assert_well_formed([[maybe_unused]] const Module& module) {
#ifndef NDEBUG
  for (const Function& function : module.functions) assert(!objection(module, function));
#endif
}

}  // namespace headway::kernel
