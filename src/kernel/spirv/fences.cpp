#include "kernel/spirv/fences.hpp"

namespace headway::kernel::spirv {
namespace {

// Whether others could tell that it stands between a fence and a barrier.
bool parts(const Instruction& i) {
  return is_memory(i.op) || meets(i.op) ||
         is_one_of(i.op, OpClass::lifetime, OpClass::asynchronous);
}

}  // namespace

void join_fences(Function& function) {
  const auto memory_of = [](const Instruction& i, bool acts) {
    return i.op == Op::fence && acts && i.scope >= Scope::workgroup ? i.memory : 0;
  };
  for (Block& block : function.blocks) {
    for (std::size_t at = 0; at < block.code.size(); ++at) {
      Instruction& barrier = block.code[at];
      if (barrier.op != Op::barrier || barrier.scope != Scope::workgroup) continue;
      int released = barrier.memory, acquired = barrier.memory;
      for (std::size_t i = at; i-- > 0 && !parts(block.code[i]);) {
        released |= memory_of(block.code[i], releases(block.code[i].order));
      }
      for (std::size_t i = at + 1; i < block.code.size() && !parts(block.code[i]); ++i) {
        acquired |= memory_of(block.code[i], acquires(block.code[i].order));
      }
      barrier.memory = static_cast<std::uint8_t>(released & acquired);
      barrier.kind =
          static_cast<std::uint8_t>((released & ~acquired) | (acquired & ~released) << 2);
    }
  }
}

}  // namespace headway::kernel::spirv
