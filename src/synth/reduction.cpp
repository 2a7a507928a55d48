#include "synth/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "lang/axb/canonical.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/source.hpp"

namespace headway::synth {
namespace {

using axb::Code;
using axb::Instruction;
using axb::Thread;

int exchanges(const Code& test) {
  int count = 0;
  for (const Thread& thread : test.threads) {
    for (const Instruction& i : thread.instructions) count += i.exchanges ? 1 : 0;
  }
  return count;
}

// The places where groups can be split, as the first thread of the second half.
std::vector<int> splits(const Topology& launch) {
  std::vector<int> result;
  const bool of_subgroups = launch.has(Level::subgroup);
  for (int thread = 1; thread < launch.threads(); ++thread) {
    const auto together = [&](Level level) {
      return launch.group_of(level, thread - 1) == launch.group_of(level, thread);
    };
    if (together(Level::subgroup) || (of_subgroups && together(Level::workgroup))) {
      result.push_back(thread);
    }
  }
  return result;
}

// Whether what is split in front of a thread is its subgroup, else its workgroup.
bool splits_subgroup(const Topology& launch, int thread) {
  const int subgroup = launch.group_of(Level::subgroup, thread);
  return launch.has(Level::subgroup) && launch.first_thread(Level::subgroup, subgroup) < thread;
}

// Where the subgroup of a thread stands among the sizes of a launch.
struct Standing {
  std::ptrdiff_t workgroup;
  std::ptrdiff_t subgroup;  // of the workgroup
};

Standing standing_of(const Topology& launch, int thread) {
  const int workgroup = launch.group_of(Level::workgroup, thread);
  const int first = launch.first_thread(Level::workgroup, workgroup);
  return {workgroup,
          launch.group_of(Level::subgroup, thread) - launch.group_of(Level::subgroup, first)};
}

Topology split(const Topology& launch, int thread) {
  std::vector<std::vector<int>> sizes = launch.sizes();
  const Standing standing = standing_of(launch, thread);
  std::vector<int>& around = sizes[static_cast<std::size_t>(standing.workgroup)];
  const auto at = around.begin() + standing.subgroup;
  const int subgroup = launch.group_of(Level::subgroup, thread);
  const int before = thread - launch.first_thread(Level::subgroup, subgroup);
  if (splits_subgroup(launch, thread)) {
    *at -= before;
    around.insert(at, before);
    return Topology::placed(sizes);
  }
  std::vector<int> second(at, around.end());
  around.erase(at, around.end());
  if (before > 0) {  // the only subgroup of its workgroup
    second.front() -= before;
    around.push_back(before);
  }
  sizes.insert(sizes.begin() + standing.workgroup + 1, std::move(second));
  return Topology::placed(sizes);
}

// Without one thread; a group that it leaves empty goes with it.
Topology without(const Topology& launch, int thread) {
  std::vector<std::vector<int>> sizes = launch.sizes();
  const Standing standing = standing_of(launch, thread);
  std::vector<int>& around = sizes[static_cast<std::size_t>(standing.workgroup)];
  const auto at = around.begin() + standing.subgroup;
  if (--*at == 0) around.erase(at);
  if (around.empty()) sizes.erase(sizes.begin() + standing.workgroup);
  return Topology::placed(sizes);
}

}  // namespace

std::vector<Reduction> reductions(const Code& test) {
  std::vector<Reduction> result;
  for (int t = 0; t < test.thread_count(); ++t) {
    if (test.thread_count() > 2) result.push_back({ReductionKind::remove_thread, t, 0});
  }
  for (int t = 0; t < test.thread_count(); ++t) {
    const Thread& thread = test.threads[t];
    for (int i = 0; i < thread.length(); ++i) {
      const Instruction& instruction = thread.instructions[i];
      if (thread.length() > 1) result.push_back({ReductionKind::remove_instruction, t, i});
      if (!instruction.exchanges || is_store(instruction, i)) continue;
      result.push_back({ReductionKind::drop_exchange, t, i});
      result.push_back({ReductionKind::make_store, t, i});
    }
  }
  for (int t = 0; t < test.thread_count(); ++t) {
    const Thread& thread = test.threads[t];
    for (int lane = 0; thread.lanes > 1 && lane < thread.lanes; ++lane) {
      const bool asked = std::any_of(
          thread.instructions.begin(), thread.instructions.end(), [&](const Instruction& i) {
            return i.asks_lane && (i.check_value == lane || thread.lanes == 2);
          });
      if (!asked) result.push_back({ReductionKind::remove_lane, t, lane});
    }
  }
  for (const int thread : splits(test.topology())) {
    result.push_back({ReductionKind::split_group, thread, 0});
  }
  return result;
}

Code apply(const Code& test, const Reduction& reduction) {
  Code result = test;
  if (reduction.kind == ReductionKind::remove_thread) {
    result.threads.erase(result.threads.begin() + reduction.thread);
    place(result, without(test.topology(), reduction.thread));
    return result;
  }
  if (reduction.kind == ReductionKind::split_group) {
    place(result, split(test.topology(), reduction.thread));
    return result;
  }
  Thread& thread = result.threads[reduction.thread];
  if (reduction.kind == ReductionKind::remove_lane) {
    --thread.lanes;
    for (Instruction& i : thread.instructions) {
      if (i.asks_lane && i.check_value > reduction.instruction) --i.check_value;
    }
    return result;
  }
  Instruction& instruction = thread.instructions[reduction.instruction];
  switch (reduction.kind) {
    case ReductionKind::remove_thread:
    case ReductionKind::split_group:
    case ReductionKind::remove_lane:
      break;
    case ReductionKind::remove_instruction:
      thread.instructions.erase(thread.instructions.begin() + reduction.instruction);
      if (!thread.sources.empty()) {
        thread.sources.erase(thread.sources.begin() + reduction.instruction);
      }
      for (Instruction& other : thread.instructions) {
        if (other.jump > reduction.instruction) --other.jump;
      }
      break;
    case ReductionKind::drop_exchange:
      instruction.exchanges = false;
      instruction.exchange_value = 0;
      break;
    case ReductionKind::make_store:
      instruction.jump = static_cast<std::uint8_t>(reduction.instruction + 1);
      instruction.check_value = 0;
      break;
  }
  return result;
}

std::string describe(const Code& test, const Reduction& reduction) {
  if (reduction.kind == ReductionKind::remove_thread) {
    return fmt::format("remove {} {}", test.topology().leaf_name(), reduction.thread);
  }
  if (reduction.kind == ReductionKind::split_group) {
    return fmt::format(
        "split the {} in front of thread {}",
        splits_subgroup(test.topology(), reduction.thread) ? "subgroup" : "workgroup",
        reduction.thread);
  }
  const Thread& thread = test.threads[reduction.thread];
  if (reduction.kind == ReductionKind::remove_lane) {
    return fmt::format("remove lane {} of subgroup {}", reduction.instruction, reduction.thread);
  }
  const std::string statement = print_statement(test, thread.instructions[reduction.instruction],
                                                reduction.instruction, thread.length());
  const char* what = reduction.kind == ReductionKind::remove_instruction ? "remove"
                     : reduction.kind == ReductionKind::drop_exchange    ? "drop the exchange of"
                                                                         : "make a store of";
  return fmt::format("{} '{}' ({} {}, instruction {})", what, statement,
                     test.topology().leaf_name(), reduction.thread, reduction.instruction);
}

const VerdictVector& Minimality::verdicts(const Code& test) {
  if (known_.size() >= remembered_) known_.clear();
  const auto [entry, is_new] = known_.try_emplace(axb::code_key(test));
  if (is_new) {
    checker::CheckResult result = checker_.check(*axb::make_program(test), models_);
    if (!result.complete) {
      known_.erase(entry);
      throw Error("too many states to decide whether the test is minimal");
    }
    entry->second = std::move(result.verdicts);
  }
  return entry->second;
}

// Breadth first: most tests that are not minimal show it after one step.
bool Minimality::is_minimal(const Code& test) {
  const VerdictVector wanted = verdicts(test);
  std::set<std::string> seen;
  std::vector<Code> queue = {test};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const Reduction& reduction : reductions(queue[head])) {
      Code reduced = apply(queue[head], reduction);
      if (!seen.insert(axb::code_key(reduced)).second) continue;
      if (verdicts(reduced) == wanted) return false;
      queue.push_back(std::move(reduced));
    }
  }
  return true;
}

std::vector<Minimality::Reduced> Minimality::smallest(const Code& test) {
  const VerdictVector wanted = verdicts(test);
  const auto size = [](const Code& program) {
    const Topology launch = program.topology();
    int lanes = 0;
    for (const Thread& thread : program.threads) lanes += thread.lanes;
    return std::tuple(program.thread_count(), lanes, program.instruction_count(),
                      exchanges(program), -launch.groups(Level::workgroup),
                      -launch.groups(Level::subgroup));
  };
  std::set<std::string> seen = {axb::code_key(test)};
  std::vector<Reduced> queue = {{test, {}}};
  std::vector<Reduced> best;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const Reduction& reduction : reductions(queue[head].test)) {
      Reduced next{apply(queue[head].test, reduction), queue[head].steps};
      if (!seen.insert(axb::code_key(next.test)).second) continue;
      next.steps.push_back(reduction);
      if (verdicts(next.test) == wanted) {
        if (!best.empty() && size(next.test) < size(best.front().test)) best.clear();
        if (best.empty() || size(next.test) == size(best.front().test)) best.push_back(next);
      }
      queue.push_back(std::move(next));
    }
  }
  return best;
}

}  // namespace headway::synth
