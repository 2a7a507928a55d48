#include "verify/hang.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/launch_spec.hpp"
#include "verify/trials.hpp"

namespace headway::verify {

namespace {

// With all that is said of it; nothing where a number is not, or the launch is too large.
std::optional<kernel::LaunchSpec> described(const kernel::Function& function,
                                            const Options& options) {
  kernel::LaunchSpec spec = options.stated;
  kernel::Size3 grid{}, block{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!options.launch.grid[d] || !options.launch.block[d]) return {};
    grid[d] = *options.launch.grid[d];
    block[d] = *options.launch.block[d];
  }
  if (kernel::volume(grid) > kMaxThreads || kernel::volume(block) > kMaxThreads ||
      kernel::volume(grid) * kernel::volume(block) > kMaxThreads) {
    return {};
  }
  spec.grid = grid;
  spec.block = block;
  spec.subgroup = static_cast<int>(options.launch.subgroup);
  for (const kernel::Parameter& p : function.parameters) {
    if (p.type.is_pointer() || p.by_value > 0) continue;
    if (const auto given = options.arguments.find(p.name); given != options.arguments.end()) {
      kernel::ArgumentSpec argument;
      argument.integer = static_cast<std::int64_t>(given->second);
      spec.arguments[p.name] = argument;
    }
    const auto known = spec.arguments.find(p.name);
    if (known == spec.arguments.end() || known->second.unknown) return {};
  }
  return spec;
}

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
      if (!code.parks(b, k) || i.op < kernel::Op::load || i.op > kernel::Op::atomic_compare) {
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

std::optional<TrialFault> find_hang(const kernel::Module& module, const kernel::Function& function,
                                    const Options& options,
                                    std::chrono::steady_clock::time_point until) {
  const auto spec = described(function, options);
  if (!spec) return {};
  kernel::AnalysisOptions analysis;
  analysis.explore.max_states = 500'000;
  analysis.explore.max_memory = std::size_t{1} << 30;
  analysis.explore.stop = StopSigns(options.stop, until);
  try {
    const std::shared_ptr<const kernel::Module> shared(std::shared_ptr<void>(), &module);
    const kernel::Analysis found = kernel::analyse(shared, function, *spec, nullptr, analysis);
    const kernel::Runnable& run = *found.run;
    if (!is_known(*run.code, *spec)) return {};
    const auto follow = [&](const auto& way) {
      kernel::MachineState state = kernel::state_behind(run, way.start, way.trace);
      const bool certain = state.path == run.machine->options().path;
      return certain && !run.machine->approximated() ? std::optional(std::move(state))
                                                     : std::nullopt;
    };
    TrialFault result{Property::termination, 0, {}, {}};
    const std::string sizes = launch_text(*spec->grid, *spec->block);
    if (options.lockstep) {
      if (!found.wait) return {};
      const auto line = [&](std::uint32_t i) { return run.code->instruction(i).place.line; };
      result.line = line(found.wait->loop);
      result.detail = fmt::format(
          "termination: in lockstep the loop at line {} waits for line {} of another thread of its "
          "subgroup, which {}{}",
          result.line, line(found.wait->release),
          found.wait->behind ? "comes there when all have left the loop" : "may come second",
          sizes);
      return result;
    }
    for (const kernel::FoundFault& one : found.exploration.faults) {
      if (one.fault.kind != kernel::FaultKind::loop || one.fault.possible || !follow(one)) continue;
      result.line = run.code->instruction(one.fault.instruction).place.line;
      result.detail = kernel::fault_text(run, one.fault) + sizes;
      return result;
    }
    if (!found.exploration.trap) {
      if (!options.not_ending || !found.exploration.complete || !found.exploration.has_cycle ||
          !found.exploration.faults.empty() || run.machine->approximated()) {
        return {};
      }
      const auto names = options.not_ending(found, *spec);
      if (!names || names->empty()) return {};
      const auto& waits = found.exploration.standoffs;
      if (!waits.empty()) {
        const kernel::MachineState state =
            kernel::state_behind(run, waits.front().start, waits.front().trace);
        const auto& local = *state.threads[static_cast<std::size_t>(waits.front().waiting.front())];
        result.line = run.code->at(local.block, local.index).place.line;
      }
      result.detail = fmt::format("termination: need not end under {}{}", *names, sizes);
      return result;
    }
    const auto state = follow(*found.exploration.trap);
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
      result.detail += fmt::format("{} thread {} of workgroup {} is at line {}",
                                   named > 1 ? "," : "", static_cast<int>(t) % group_threads,
                                   static_cast<int>(t) / group_threads, line);
    }
    result.detail += sizes;
    return result;
  } catch (const Error&) {
    // The engine does not take this launch: nothing is known.
  }
  return {};
}

}  // namespace headway::verify
