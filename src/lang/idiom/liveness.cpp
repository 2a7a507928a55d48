#include "lang/idiom/liveness.hpp"

#include <cassert>

#include "lang/idiom/limits.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

std::uint32_t uses(const ThreadCode& thread, int node) {
  if (node < 0) return 0;
  const Node& n = thread.nodes[node];
  if (n.kind == Node::Kind::reg) return std::uint32_t{1} << n.number;
  assert(n.a < node && n.b < node && n.c < node);
  std::uint32_t elements = 0;
  for (int i = 0; n.kind == Node::Kind::element && i < n.count; ++i) {
    elements |= std::uint32_t{1} << (n.number + i);
  }
  return elements | uses(thread, n.a) | uses(thread, n.b) | uses(thread, n.c);
}

// The registers that hold what a thread brings to an operation of its subgroup.
std::uint32_t brought(const Instruction& in) {
  const std::uint32_t from = in.from >= 0 ? std::uint32_t{1} << in.from : 0;
  return from | std::uint32_t{1} << in.target;
}

}  // namespace

// Backwards until nothing changes: a register is live in front of an instruction that uses it,
// and in front of one that does not set it and behind which it is live.
void find_live(ThreadCode& thread) {
  static_assert(kMaxRegisters <= 32, "a register is a bit of ThreadCode::live");
  const auto& code = thread.instructions;
  assert(code.back().kind == InstructionKind::end);
  thread.live.assign(code.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = static_cast<int>(code.size()) - 1; i >= 0; --i) {
      const Instruction& in = code[i];
      std::uint32_t live = 0;
      const bool falls = in.kind != InstructionKind::jump && in.kind != InstructionKind::end;
      if (falls) live |= thread.live[i + 1];
      if (in.kind == InstructionKind::jump || in.kind == InstructionKind::branch) {
        assert(0 <= in.target && in.target < static_cast<int>(code.size()));
        live |= thread.live[in.target];
      }
      // Of an array only one element is set, nobody knows which.
      const bool element = in.kind == InstructionKind::assign && in.index >= 0;
      const bool sets = in.kind == InstructionKind::assign || in.kind == InstructionKind::access ||
                        in.kind == InstructionKind::choice || in.kind == InstructionKind::meet;
      if (sets && !element && in.target >= 0) live &= ~(std::uint32_t{1} << in.target);
      if (sets && in.from >= 0) live &= ~(std::uint32_t{1} << in.from);
      if (in.kind == InstructionKind::gather) live |= brought(in);
      live |= uses(thread, in.value) | uses(thread, in.second) | uses(thread, in.index);
      assert((thread.live[i] & ~live) == 0);  // sets only grow, so this ends
      changed = changed || live != thread.live[i];
      thread.live[i] = live;
    }
  }
}

}  // namespace headway::lang::idiom
