// Barriers in memory, with phases. Each is eight bytes: how many threads have arrived, modulo twice
// as many as a phase expects, and how many that is. So the parity of the phase can be read off, and
// the number of states is finite. To arrive is one update; to wait, a loop around reads.
#include <fmt/format.h>

#include <utility>

#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr Type kCounter = Type::integer(32);
constexpr Type kState = Type::integer(64);
constexpr std::uint64_t kMostArrivals = 32;  // at a time, one after the other
constexpr std::int64_t kSecond = 4;          // where the other number is
constexpr std::uint32_t kCounterAlign = 4;

}  // namespace

ValueId Emitter::arrivals(std::size_t index) {
  touches_memory_ = true;
  return address(operand(index));
}

// Of a barrier that has been initialized.
ValueId Emitter::expected(ValueId arrivals) {
  const ValueId count =
      builder_.load(builder_.offset(arrivals, kSecond), kCounter, false, kCounterAlign);
  require(truth(count), "a barrier that is not initialized");
  return count;
}

ValueId Emitter::parity(ValueId arrivals, ValueId expected) {
  return builder_.binary(Op::uge, arrivals, expected);
}

void Emitter::begin_barrier() {
  const ValueId at = arrivals(0);
  builder_.store(at, builder_.integer(32, 0), false, 2 * kCounterAlign);
  builder_.store(builder_.offset(at, kSecond), value(1, kCounter), false, kCounterAlign, true);
}

void Emitter::end_barrier() {
  builder_.store(builder_.offset(arrivals(0), kSecond), builder_.integer(32, 0), false,
                 kCounterAlign);
}

// mbarrier.arrive state, [barrier]{, count}. Several arrivals come one after the other: nobody sees
// more of those before the last one than that the phase is not over. The state is the parity of the
// phase: with more in it the order of arrivals would be remembered, which nobody asks for.
void Emitter::arrive() {
  const std::uint64_t many = operands() > 2 ? known(2, kCounter).value_or(0) : 1;
  if (many == 0 || many > kMostArrivals) {
    refuse(fmt::format("a number of arrivals at a time that is no constant from 1 to {}",
                       kMostArrivals));
  }
  const ValueId at = arrivals(1);
  const ValueId count = expected(at);
  const ValueId twice = builder_.binary(Op::add, count, count);
  const ValueId last = builder_.binary(Op::sub, twice, builder_.integer(32, 1));
  ValueId old = kNone;
  for (std::uint64_t i = 0; i < many; ++i) {
    Instruction made = access(Op::atomic_update, kCounter, at);
    made.order = order(Order::release);
    made.scope = Scope::workgroup;
    made.update = Update::wrap_inc;
    made.operands.push_back(last);
    const ValueId before = emit(std::move(made));
    if (i == 0) old = before;
  }
  if (operand(0).kind == Operand::Kind::sink) return;
  give(operand(0), builder_.resize(parity(old, count), kState.bits, false));
}

// mbarrier.test_wait p, [barrier], state or, with .parity, a parity. Whether that phase is over.
// try_wait may wait a while, which makes no difference.
void Emitter::test_phase() {
  const ValueId at = arrivals(1);
  const ValueId count = expected(at);
  Instruction made = access(Op::atomic_load, kCounter, at);
  made.order = order(Order::acquire);
  made.scope = Scope::workgroup;
  const ValueId now = parity(emit(std::move(made)), count);
  const Type given = has("parity") ? kCounter : kState;
  const ValueId then =
      truth(builder_.binary(Op::bit_and, value(2, given), builder_.integer(given.bits, 1)));
  give(operand(0), builder_.binary(Op::bit_xor, now, then));
}

}  // namespace headway::kernel::ptx
