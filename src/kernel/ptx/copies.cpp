// Copies that go on beside the thread.
#include <fmt/format.h>

#include <utility>

#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {

// cp.async [to], [from], bytes{, copied or whether none are}{, policy of a cache}.
void Emitter::copy() {
  touches_memory_ = true;
  const std::size_t least = has("L2::cache_hint") ? 4 : 3;
  if (operands() < least || operands() > least + 1) {
    refuse(fmt::format("expected {} operands, or one more", least));
  }
  const auto bytes = known(2, Type::integer(64));
  if (!bytes || (*bytes != 16 && (has("cg") || (*bytes != 4 && *bytes != 8)))) {
    refuse(has("cg") ? "expected a copy of 16 bytes" : "expected a copy of 4, 8 or 16 bytes");
  }
  Instruction made;
  made.op = Op::thread_copy;
  made.operands = {address(operand(0), true, false), address(operand(1), false, true),
                   builder_.integer(64, *bytes)};
  made.align = made.align_from = static_cast<std::uint32_t>(*bytes);
  if (operands() > least) {
    const Operand& which = operand(3);
    const bool is_predicate = which.kind == Operand::Kind::reg && !is_literal(which) &&
                              text_.registers[which.number].type.bits == 1;
    made.operands.push_back(
        is_predicate ? builder_.select(value(which, Type::integer(1)), builder_.integer(64, 0),
                                       builder_.integer(64, *bytes))
                     : builder_.resize(value(which, Type::integer(32)), 64, false));
  }
  builder_.emit(std::move(made));
}

void Emitter::commit() {
  touches_memory_ = true;
  Instruction made;
  made.op = Op::commit_copies;
  builder_.emit(std::move(made));
}

// For all copies: for those of no group, too.
void Emitter::wait() {
  const bool all = row_->opcode == "cp.async.wait_all";
  if (all) commit();
  touches_memory_ = true;
  const bool is_number = all || operand(0).kind == Operand::Kind::integer || is_literal(operand(0));
  const auto latest = all         ? std::optional<std::uint64_t>(0)
                      : is_number ? known(0, Type::integer(64))
                                  : std::nullopt;
  if (!latest) refuse("a number of groups that is not known");
  Instruction made;
  made.op = Op::wait_copies;
  made.operands = {builder_.integer(64, *latest)};
  builder_.emit(std::move(made));
}

}  // namespace headway::kernel::ptx
