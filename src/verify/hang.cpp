#include "verify/hang.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verify/trials.hpp"

namespace headway::verify {

namespace {

// Whether it is known what threads find where they may wait for each other.
bool is_known(const kernel::Code& code, const kernel::LaunchSpec& spec) {
  const auto stated = [&](std::uint32_t parameter) {
    const auto given = spec.buffers.find(code.function().parameters[parameter].name);
    return given != spec.buffers.end() &&
           given->second.content != kernel::BufferSpec::Content::unknown;
  };
  const auto& blocks = code.function().blocks;
  for (kernel::BlockId b = 0; b < blocks.size(); ++b) {
    for (std::uint32_t k = 0; k < blocks[b].code.size(); ++k) {
      const kernel::Instruction& i = blocks[b].code[k];
      if (!code.parks(b, k) || !kernel::is_access(i.op)) {
        continue;
      }
      const kernel::Bases& bases = code.bases(i.operands[0]);
      if (bases.any || !std::all_of(bases.parameters.begin(), bases.parameters.end(), stated)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<TrialFault> find_hang(const WholeLaunch& launch, const Options& options,
                                    const StopSigns& stop) {
  const kernel::Runnable& run = *launch.found.run;
  const kernel::Exploration& seen = launch.found.exploration;
  if (!launch.known || !is_known(*run.code, launch.spec)) return {};
  const auto follow = [&](const auto& way) {
    kernel::MachineState state = kernel::state_behind(run, way.start, way.trace);
    const bool stopped = state.fault && state.fault->kind == kernel::FaultKind::limit;
    const bool certain = !stopped && state.path == run.machine->options().path;
    return certain && !run.machine->approximated() ? std::optional(std::move(state)) : std::nullopt;
  };
  TrialFault result{Property::termination, 0, {}, {}};
  const std::string sizes = launch_text(*launch.spec.grid, *launch.spec.block);
  if (options.lockstep) {
    const auto& wait = launch.found.wait;
    if (!wait) return {};
    const auto line = [&](std::uint32_t i) { return run.code->instruction(i).place.line; };
    result.line = line(wait->loop);
    result.detail = fmt::format(
        "termination: in lockstep the loop at line {} waits for line {} of another thread of its "
        "subgroup, which {}{}",
        result.line, line(wait->release),
        wait->behind ? "comes there when all have left the loop" : "may come second", sizes);
    return result;
  }
  for (const kernel::FoundFault& one : seen.faults) {
    if (one.fault.kind != kernel::FaultKind::loop || one.fault.possible || !follow(one)) continue;
    result.line = run.code->instruction(one.fault.instruction).place.line;
    result.detail = kernel::fault_text(run, one.fault) + sizes;
    return result;
  }
  if (!seen.trap) {
    if (!options.not_ending || !seen.complete || !seen.has_cycle || !seen.faults.empty() ||
        run.machine->approximated()) {
      return {};
    }
    const auto names = options.not_ending(launch.found, launch.spec, stop);
    if (!names || names->empty()) return {};
    if (!seen.standoffs.empty()) {
      const kernel::Standoff& wait = seen.standoffs.front();
      const kernel::MachineState state = kernel::state_behind(run, wait.start, wait.trace);
      const auto& local = *state.threads[static_cast<std::size_t>(wait.waiting.front())];
      if (!state.fault) result.line = run.code->at(local.block, local.index).place.line;
    }
    result.detail = fmt::format("termination: need not end under {}{}", *names, sizes);
    return result;
  }
  const auto state = follow(*seen.trap);
  if (!state) return {};
  result.detail = "termination: no execution ends from there, whatever is scheduled:";
  const int group_threads = run.launch.group_threads();
  int named = 0;
  for (std::size_t t = 0; t < state->threads.size(); ++t) {
    const kernel::ThreadState& local = *state->threads[t];
    if (local.status == kernel::Status::ended) continue;
    const int line = run.code->at(local.block, local.index).place.line;
    if (named == 0) result.line = line;
    if (++named > 3) break;
    result.detail +=
        fmt::format("{} thread {} of workgroup {} is at line {}", named > 1 ? "," : "",
                    static_cast<int>(t) % group_threads, static_cast<int>(t) / group_threads, line);
  }
  result.detail += sizes;
  return result;
}

}  // namespace headway::verify
