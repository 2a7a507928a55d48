// How host code looks back from the heads of its loops.
#include <algorithm>

#include "kernel/machine/host.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {

Progressed Machine::Runner::progressed() const {
  const HostWorld& world = *machine_.host_;
  return {script_at_, state_->unknowns, world.assumptions, world.outcomes};
}

// Where nothing has been chosen or drawn since the thread was here last, others watch the loop.
void Machine::Runner::look_back(BlockId head) {
  HostWorld& world = *machine_.host_;
  const Progressed now = progressed();
  Progressed& last = world.arrivals[head];
  // In a function that is called a state would be that of its callers, too.
  if (world.depth > 0 || !world.configurations.empty() || now == last) return;
  world.arrived = last = now;
  LoopState state;
  state.head = head;
  state.instruction = number_;
  for (const ValueId id : code_.live_into(head)) state.registers.push_back(reg(id));
  state.memory = state_->memory;
  state.objects = launch_.objects;
  state.things = world;
  state.path = state_->path;
  state.progressed = now;
  if (!world.recurrence->is_known(std::move(state))) return;
  world.known = true;
  throw Exited();
}

// Whether an assumption may leave nothing of a state at the head of a loop. One that is about
// values that were drawn since, and of which nothing else is known, says what was drawn, no more.
bool Machine::Runner::excludes(smt::Term assumption) {
  const auto drawn = drawn_in(terms_, assumption);
  const std::uint32_t before = machine_.host_->arrived.unknowns;
  const auto is_new = [&](std::uint32_t number) { return number >= before; };
  if (!drawn || !std::all_of(drawn->begin(), drawn->end(), is_new)) return true;
  return std::any_of(state_->path.begin(), state_->path.end(), [&](smt::Term fact) {
    const auto known = drawn_in(terms_, fact);
    return !known || std::find_first_of(known->begin(), known->end(), drawn->begin(),
                                        drawn->end()) != known->end();
  });
}

}  // namespace headway::kernel
