// Barriers that threads name by a number: whoever comes is counted, and those who wait go on when
// as many have come as the barrier counts. Threads come there as whole subgroups: each waits for
// those of its own that have not ended, and the subgroup counts in full (PTX ISA, "barrier").
//
// Which threads meet must not hang on who comes first. It does not where each thread comes behind
// the end of the phase before: none could have counted there. So the order in which threads come is
// not tried, and one that comes without knowing of that end is an error: more come than count.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernel/ir/builder.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

// What memory holds of a phase that some have arrived in: how many, and the count. Nothing where
// none have.
constexpr int kCountAt = 32;

std::uint64_t number_at(std::uint64_t at) { return at / kBarrierBytes; }

// Whether there is a __syncthreads(), which is barrier 0.
bool has_barrier_of_all(const Function& function) {
  const auto is_one = [](const Instruction& i) {
    return i.op == Op::barrier_reduce || (i.op == Op::barrier && i.scope == Scope::workgroup);
  };
  return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), is_one);
  });
}

}  // namespace

NumberedBarrier Machine::Runner::barrier_of(int thread) {
  const Instruction& at = instruction_of(thread);
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  thread_ = thread;
  number_ = code_.number(local.block, local.index);
  const Address place = address(operand_of(thread, at, 0));
  if (place.moving) fail(FaultKind::unsupported, "the number of a barrier out of unknown data");
  check(place, kBarrierBytes, true);
  if (number_at(place.at) == 0 && has_barrier_of_all(function_)) {
    fail(FaultKind::unsupported,
         "barrier 0 by its number beside __syncthreads(), which is barrier 0");
  }
  const auto size = static_cast<std::uint64_t>(launch_.subgroup);
  const auto threads = static_cast<std::uint64_t>(launch_.group_threads());
  NumberedBarrier result{place.object, place.at, (threads + size - 1) / size * size};
  if (at.operands.size() < 2) return result;
  const Cell count = operand_of(thread, at, 1);
  if (!count.is_bits()) fail(FaultKind::unsupported, "the count of a barrier out of unknown data");
  result.count = count.bits;
  if (result.count == 0 || result.count % size != 0) {
    fail(FaultKind::divergence,
         fmt::format("a count of {} threads at barrier {}, which is no multiple of a subgroup's {}",
                     result.count, number_at(result.at), size));
  }
  return result;
}

// Whether a thread waits at the barrier of another one of its subgroup, and in the same way.
bool Machine::Runner::comes_with(int other, int thread) {
  const ThreadState& there = *state_->threads[static_cast<std::size_t>(other)];
  const ThreadState& here = *state_->threads[static_cast<std::size_t>(thread)];
  if (there.status != Status::waiting) return false;
  const Instruction& a = instruction_of(other);
  const Instruction& b = instruction_of(thread);
  if (a.op != Op::numbered_barrier || a.arrives != b.arrives) return false;
  const bool is_same = there.block == here.block && there.index == here.index;
  if ((a.aligned || b.aligned) && !is_same) return false;
  return operand_of(other, a, 0) == operand_of(thread, b, 0);
}

// Whether all of a thread's subgroup have come to its barrier; an error where they never will.
bool Machine::Runner::subgroup_comes(int thread, const Instruction& at) {
  const std::vector<int> subgroup = members(thread, at);
  for (const int t : subgroup) {
    if (comes_with(t, thread)) continue;
    if (machine_.options_.steps_at_barriers || !wait_for_good(subgroup)) return false;
    const ThreadState& here = *state_->threads[static_cast<std::size_t>(thread)];
    const ThreadState& other = *state_->threads[static_cast<std::size_t>(t)];
    thread_ = thread;
    number_ = code_.number(here.block, here.index);
    Access elsewhere;
    elsewhere.thread = static_cast<std::uint32_t>(t);
    elsewhere.instruction = code_.number(other.block, other.index);
    fail_at(FaultKind::divergence, "threads of a subgroup wait at different barriers", elsewhere,
            false);
  }
  return true;
}

// Threads of whole subgroups that wait for a barrier to be complete.
std::vector<int> Machine::Runner::waiting_at(const NumberedBarrier& barrier) {
  const int group_threads = launch_.group_threads();
  const int first = launch_.objects[barrier.object].workgroup * group_threads;
  std::vector<int> result;
  for (int begin = first; begin < first + group_threads; begin += launch_.subgroup) {
    const int end = std::min(begin + launch_.subgroup, first + group_threads);
    std::vector<int> here;
    bool comes = true;
    for (int t = begin; t < end; ++t) {
      if (state_->threads[static_cast<std::size_t>(t)]->status == Status::ended) continue;
      if (here.empty()) {
        const Instruction& at = instruction_of(t);
        comes = at.op == Op::numbered_barrier && !at.arrives && comes_with(t, t);
        if (!comes) break;
        const NumberedBarrier its = barrier_of(t);
        comes = its.object == barrier.object && its.at == barrier.at;
      }
      comes = comes && comes_with(t, here.empty() ? t : here.front());
      here.push_back(t);
    }
    if (comes) result.insert(result.end(), here.begin(), here.end());
  }
  return result;
}

std::uint64_t Machine::Runner::arrived_at(const NumberedBarrier& barrier) {
  const std::uint64_t held = read(barrier.object, barrier.at, kBarrierBytes).bits;
  const std::uint64_t count = held >> kCountAt;
  if (count != 0 && count != barrier.count) {
    fail(FaultKind::divergence,
         fmt::format("a count of {} threads at barrier {}, where others that have arrived say {}",
                     barrier.count, number_at(barrier.at), count));
  }
  return held & ((std::uint64_t{1} << kCountAt) - 1);
}

// The end of a phase is noted as a write of the barrier: nobody may come in a race with it.
void Machine::Runner::require_phase(const NumberedBarrier& barrier,
                                    const std::vector<int>& threads) {
  if (!state_->order) return;
  for (const int t : threads) {
    const ThreadState& local = *state_->threads[static_cast<std::size_t>(t)];
    Access comes;
    comes.thread = static_cast<std::uint32_t>(t);
    comes.instruction = code_.number(local.block, local.index);
    const auto before =
        state_->order->conflicts(barrier.object, barrier.at, kBarrierBytes, comes, 0);
    if (before.empty()) continue;
    thread_ = t;
    number_ = comes.instruction;
    fail_at(FaultKind::divergence,
            fmt::format("more threads than its {} may come to barrier {} at once: nothing orders "
                        "this one behind those who met there before",
                        barrier.count, number_at(barrier.at)),
            before.front(), false);
  }
}

// All that the barrier counts have come, of whom some wait.
void Machine::Runner::complete(const NumberedBarrier& barrier, const std::vector<int>& waiting) {
  require_phase(barrier, waiting);
  drop(barrier.object, barrier.at, kBarrierBytes);
  if (state_->order) {
    const int by = waiting.empty() ? thread_ : waiting.front();
    const ThreadState& local = *state_->threads[static_cast<std::size_t>(by)];
    Access ends;
    ends.thread = static_cast<std::uint32_t>(by);
    ends.instruction = code_.number(local.block, local.index);
    ends.writes = true;
    state_->order->access(barrier.object, true, barrier.at, kBarrierBytes, ends, 0);
    state_->order->leave(waiting, barrier.object, barrier.at);
  }
  for (const int t : waiting) release(t, {});
}

std::vector<int> Machine::Runner::meet_numbered(int thread, const Instruction& at) {
  if (!subgroup_comes(thread, at)) return {};
  const std::vector<int> subgroup = members(thread, at);
  const auto size = static_cast<std::uint64_t>(launch_.subgroup);
  const NumberedBarrier barrier = barrier_of(thread);
  std::vector<int> waiting = waiting_at(barrier);
  std::vector<int> let = at.arrives ? subgroup : std::vector<int>();
  std::set<int> subgroups;
  for (const int t : waiting) subgroups.insert(launch_.subgroup_of(t));
  std::vector<int> here = waiting;
  here.insert(here.end(), let.begin(), let.end());
  for (const int t : here) {
    const NumberedBarrier its = barrier_of(t);
    if (its.count == barrier.count) continue;
    const ThreadState& other = *state_->threads[static_cast<std::size_t>(thread)];
    Access there;
    there.thread = static_cast<std::uint32_t>(thread);
    there.instruction = code_.number(other.block, other.index);
    fail_at(FaultKind::divergence,
            fmt::format("counts of {} and of {} threads at barrier {}", its.count, barrier.count,
                        number_at(barrier.at)),
            there, false);
  }
  barrier_of(thread);  // whom errors name
  std::uint64_t arrived = arrived_at(barrier);
  if (at.arrives) {
    require_phase(barrier, subgroup);
    if (state_->order) state_->order->arrive(subgroup, barrier.object, barrier.at);
    arrived += size;
  }
  const std::uint64_t all = arrived + subgroups.size() * size;
  if (all > barrier.count) {
    fail(FaultKind::divergence, fmt::format("{} threads come to barrier {}, which counts {}", all,
                                            number_at(barrier.at), barrier.count));
  }
  if (at.arrives) {
    for (const int t : subgroup) release(t, {});
    if (all < barrier.count) {
      put(barrier.object, barrier.at, kBarrierBytes, Cell::of(barrier.count << kCountAt | arrived));
    }
  }
  if (all < barrier.count) return let;
  complete(barrier, waiting);
  let.insert(let.end(), waiting.begin(), waiting.end());
  return let;
}

}  // namespace headway::kernel
