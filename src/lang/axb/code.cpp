#include "lang/axb/code.hpp"

#include <algorithm>
#include <cassert>

namespace headway::lang::axb {

int Code::instruction_count() const {
  int count = 0;
  for (const Thread& thread : threads) count += thread.length();
  return count;
}

bool Code::has_barriers() const {
  return std::any_of(threads.begin(), threads.end(), [](const Thread& thread) {
    return std::any_of(thread.instructions.begin(), thread.instructions.end(),
                       [](const Instruction& i) { return i.is_barrier(); });
  });
}

bool Code::in_lockstep() const {
  return std::any_of(threads.begin(), threads.end(),
                     [](const Thread& thread) { return thread.lanes > 1; });
}

Topology Code::topology() const {
  const Topology launch = placement ? *placement : Topology(thread_count());
  if (!in_lockstep()) return launch;
  std::vector<int> lanes;
  lanes.reserve(threads.size());
  for (const Thread& thread : threads) lanes.push_back(thread.lanes);
  return launch.with_lanes(lanes);
}

int first_lane(const Code& code, int thread) {
  int first = 0;
  for (int before = 0; before < thread; ++before) first += code.threads[before].lanes;
  return first;
}

Instruction barrier_at(int index, Instruction::Barrier barrier) {
  Instruction instruction;
  instruction.jump = static_cast<std::uint8_t>(index + 1);
  instruction.barrier = barrier;
  return instruction;
}

void place(Code& code, const Topology& topology) {
  assert(topology.threads() == code.thread_count());
  code.placement.reset();
  if (!topology.is_flat()) code.placement = topology;
}

bool is_structured(const Code& code) {
  const Topology launch = code.topology();
  for (const Level level : {Level::workgroup, Level::subgroup}) {
    std::vector<int> of_group(static_cast<std::size_t>(launch.groups(level)), -1);
    for (int t = 0; t < code.thread_count(); ++t) {
      const auto& instructions = code.threads[t].instructions;
      const int barriers = static_cast<int>(std::count_if(
          instructions.begin(), instructions.end(),
          [&](const Instruction& i) { return i.is_barrier() && level_of(i.barrier) == level; }));
      int& known = of_group[static_cast<std::size_t>(launch.group_of(level, t))];
      if (known >= 0 && known != barriers) return false;
      known = barriers;
    }
  }
  return std::all_of(code.threads.begin(), code.threads.end(), [](const Thread& thread) {
    std::vector<int> stretch{0};  // of an instruction, and of the end
    for (const Instruction& i : thread.instructions) {
      stretch.push_back(stretch.back() + (i.is_barrier() ? 1 : 0));
    }
    for (int index = 0; index < thread.length(); ++index) {
      const Instruction& i = thread.instructions[index];
      if (!i.is_barrier() && stretch[i.jump] != stretch[index]) return false;
    }
    return true;
  });
}

void derive_values(Code& code) {
  code.values = 2;
  const auto use = [&](int value) { code.values = std::max(code.values, value + 1); };
  for (const Location& location : code.locations) use(location.initial);
  for (const Thread& thread : code.threads) {
    for (const Instruction& i : thread.instructions) {
      if (i.is_access()) use(i.check_value), use(i.exchange_value);
    }
  }
}

}  // namespace headway::lang::axb
