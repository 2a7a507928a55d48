#include "kernel/ptx/inline_assembly.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernel/ptx/emitter.hpp"
#include "kernel/ptx/parser.hpp"

namespace headway::kernel::ptx {

InlineResult emit_inline(const Module& module, Builder& builder, std::string_view text,
                         const std::vector<InlineOperand>& operands, SharedAddresses& shared) {
  std::vector<Register> registers;
  std::vector<Before> before;
  for (const InlineOperand& one : operands) {
    registers.push_back({fmt::format("%{}", registers.size()), one.type});
    before.push_back({one.value, one.written, one.literal});
  }
  Text parsed;
  try {
    parsed = parse(text, {}, std::move(registers));
  } catch (const Error& error) {
    throw Refused(
        fmt::format("inline assembly, its line {}: {}", error.where().line, error.what()));
  }
  Emitter emitter(module, builder, parsed, std::move(before), shared);
  emitter.run();
  InlineResult result;
  result.touches_memory = emitter.touches_memory();
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (operands[i].written) result.values.push_back(emitter.result(i));
  }
  return result;
}

}  // namespace headway::kernel::ptx
