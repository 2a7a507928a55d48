#include "verify/walks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "kernel/machine/walk.hpp"
#include "kernel/test/analysis.hpp"
#include "verify/trial_memory.hpp"

namespace headway::verify {

using kernel::FaultKind;

namespace {

constexpr kernel::Schedule kWays[] = {
    {kernel::Schedule::Kind::forward, 0},   {kernel::Schedule::Kind::in_turn, 0},
    {kernel::Schedule::Kind::backward, 0},  {kernel::Schedule::Kind::by_chance, 1},
    {kernel::Schedule::Kind::by_chance, 2},
};

Side side_of(const kernel::Runnable& run, int thread, std::uint32_t instruction) {
  const kernel::Launch& launch = run.launch;
  const auto text = [](int linear, const kernel::Size3& size) {
    const auto n = static_cast<std::uint32_t>(linear);
    return fmt::format("({},{},{})", n % size[0], n / size[0] % size[1], n / size[0] / size[1]);
  };
  const int group = launch.group_number(thread / launch.group_threads());
  return {
      fmt::format("thread {} of workgroup {}", text(thread % launch.group_threads(), launch.block),
                  text(group, launch.grid)),
      run.code->instruction(instruction).place.line, ""};
}

}  // namespace

TrialFault fault_of(const kernel::Runnable& run, const kernel::Fault& fault, Property property) {
  TrialFault result{property,
                    run.code->instruction(fault.instruction).place.line,
                    kernel::fault_text(run, fault),
                    {}};
  if (fault.thread >= 0 && fault.other_thread >= 0) {
    result.sides = {side_of(run, fault.other_thread, fault.other_instruction),
                    side_of(run, fault.thread, fault.instruction)};
  }
  return result;
}

std::optional<Property> property_of(kernel::FaultKind kind) {
  switch (kind) {
    case FaultKind::race:
      return Property::race;
    case FaultKind::divergence:
      return Property::divergence;
    case FaultKind::assertion:
      return Property::assertion;
    case FaultKind::bounds:
      return Property::bounds;
    case FaultKind::null:
      return Property::null;
    case FaultKind::alignment:
      return Property::alignment;
    case FaultKind::constant:
      return Property::constant;
    case FaultKind::freed:
    case FaultKind::uninitialized:
    case FaultKind::division:
    case FaultKind::loop:
    case FaultKind::excluded:
    case FaultKind::unsupported:
    case FaultKind::limit:
      return {};  // no property of these is verified
  }
  return {};
}

bool wants_walks(const kernel::Function& function) {
  const auto wants = [](const kernel::Instruction& i) {
    using kernel::Op;
    return i.op == Op::subgroup || i.op == Op::barrier_reduce || i.op == Op::fence ||
           is_subgroup_barrier(i) || i.op == Op::thread_copy || is_atomic(i.op);
  };
  return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const auto& block) {
    return std::any_of(block.code.begin(), block.code.end(), wants);
  });
}

TrialResult walk_launch(const kernel::Module& module, const kernel::Function& function,
                        const kernel::LaunchSpec& spec, const Options& options,
                        std::chrono::steady_clock::time_point until) {
  TrialResult result;
  kernel::MachineOptions machine;
  machine.count_benign = options.benign_count;
  machine.stop = StopSigns(options.stop, until);
  const std::shared_ptr<const kernel::Module> shared(std::shared_ptr<void>(), &module);
  // Plain loads by which threads wait become steps, one loop after the other.
  std::vector<std::uint32_t> spins;
  std::unique_ptr<kernel::Runnable> run;
  const auto prepare = [&] {
    auto terms = std::make_unique<smt::Context>();
    kernel::PreparedLaunch prepared = kernel::prepare_launch(module, function, spec, *terms);
    machine.path = prepared.path;
    run = kernel::make_runnable(shared, std::move(prepared.launch), std::move(terms), spins,
                                machine, nullptr);
  };
  try {
    prepare();
    for (std::size_t k = 0; k < std::size(kWays);) {
      if (machine.stop.seen() != Limit::none) break;
      const kernel::Walk walk = kernel::walk(*run->machine, kWays[k], machine.stop);
      if (!run->machine->spins().empty() && spins.size() < 16) {
        const auto& more = run->machine->spins();
        spins.insert(spins.end(), more.begin(), more.end());
        std::sort(spins.begin(), spins.end());
        spins.erase(std::unique(spins.begin(), spins.end()), spins.end());
        prepare();
        continue;
      }
      ++k;
      result.complete = result.complete || walk.ended;
      if (!walk.fault || walk.fault->possible) continue;
      const auto property = property_of(walk.fault->kind);
      if (!property) continue;
      const bool known = std::any_of(result.faults.begin(), result.faults.end(),
                                     [&](const TrialFault& f) { return f.property == *property; });
      if (!known) result.faults.push_back(fault_of(*run, *walk.fault, *property));
    }
  } catch (const Error&) {
    // The engine does not take this launch: nothing is known.
  }
  return result;
}

}  // namespace headway::verify
