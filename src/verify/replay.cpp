#include "verify/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "kernel/test/analysis.hpp"
#include "verify/encoding/flow.hpp"
#include "verify/trials.hpp"
#include "verify/walks.hpp"

namespace headway::verify {

namespace {

// One launch with given data.
std::optional<Replayed> run(const kernel::Module& module, const kernel::Function& function,
                            const kernel::LaunchSpec& spec, const Suspect& suspect,
                            const Options& options, StopSigns::Clock::time_point until) {
  kernel::AnalysisOptions analysis;
  analysis.count_benign = options.benign_count;
  analysis.explore.all_faults = true;
  analysis.explore.max_states = 200'000;
  analysis.explore.max_memory = std::size_t{1} << 30;
  analysis.explore.stop = StopSigns(options.stop, until);
  try {
    const std::shared_ptr<const kernel::Module> shared(std::shared_ptr<void>(), &module);
    const kernel::Analysis found = kernel::analyse(shared, function, spec, nullptr, analysis);
    for (const kernel::FoundFault& one : found.exploration.faults) {
      if (property_of(one.fault.kind) != suspect.property || one.fault.possible) continue;
      return Replayed{found.run->code->instruction(one.fault.instruction).place.line,
                      kernel::fault_text(*found.run, one.fault)};
    }
  } catch (const Error&) {
    // The engine does not take this launch: nothing is known.
  }
  return std::nullopt;
}

}  // namespace

std::optional<Replayed> replay(const kernel::Module& module, const kernel::Function& function,
                               const Suspect& suspect, const Options& options,
                               std::chrono::milliseconds limit) {
  kernel::LaunchSpec spec;
  kernel::Size3 grid{}, block{};
  std::uint64_t threads = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    grid[d] = suspect.grid[d];
    block[d] = suspect.block[d];
    threads *= std::uint64_t{grid[d]} * block[d];
  }
  if (threads > kMaxThreads) {
    // The two workgroups of the counterexample; the others have not started.
    for (const auto& group : suspect.group) {
      spec.started.push_back(group[0] + grid[0] * (group[1] + grid[1] * group[2]));
    }
    std::sort(spec.started.begin(), spec.started.end());
    spec.started.erase(std::unique(spec.started.begin(), spec.started.end()), spec.started.end());
    threads = spec.started.size() * kernel::volume(block);
  }
  spec.grid = grid;
  spec.block = block;
  spec.subgroup = static_cast<int>(options.launch.subgroup);
  spec.assumptions = options.stated.assumptions;
  std::string values;
  const std::optional<Flow> flow = flow_of(function);
  const bool loops = flow && !flow->loops.empty();
  // The engine looks at the clock between steps alone, and loops of many threads are long steps.
  if (loops && threads > 256) return std::nullopt;
  for (const kernel::Parameter& p : function.parameters) {
    if (p.by_value > 0 || !(p.type.is_integer() || p.type.is_real())) continue;
    kernel::ArgumentSpec argument;
    // A size is said of a launch with the arguments that are said beside it.
    const auto stated = options.stated.arguments.find(p.name);
    const bool as_stated = suspect.property == Property::bounds &&
                           stated != options.stated.arguments.end() &&
                           !options.arguments.contains(p.name);
    if (as_stated && !stated->second.unknown) {
      argument = stated->second;
    } else if (p.type.is_real()) {
      argument.value = 1;
    } else {
      for (const auto& [name, value] : suspect.arguments) {
        if (name != p.name) continue;
        argument.integer = smt::as_signed(value, p.type.bits);
        // Any argument will do that is not given, and large ones make loops long.
        const bool open = suspect.property != Property::bounds && !options.arguments.contains(name);
        if (loops && open)
          argument.integer = std::clamp<std::int64_t>(argument.integer, -4096, 4096);
        values += fmt::format(", {} = {}", name, argument.integer);
      }
    }
    spec.arguments[p.name] = argument;
  }
  // Data that are known make the engine quick: first a few contents of buffers, then, in a small
  // launch, any.
  enum class Data { zero, small, wide, unknown };
  const auto until = StopSigns::Clock::now() + limit;
  for (const Data data : {Data::zero, Data::small, Data::wide, Data::unknown}) {
    if (data == Data::unknown && threads > 16) break;
    if (StopSigns::Clock::now() >= until) break;
    for (const kernel::Parameter& p : function.parameters) {
      if (!p.type.is_pointer() || p.by_value > 0 || p.space == kernel::Space::workgroup) continue;
      kernel::BufferSpec buffer;
      buffer.content = data == Data::zero      ? kernel::BufferSpec::Content::zero
                       : data == Data::unknown ? kernel::BufferSpec::Content::unknown
                                               : kernel::BufferSpec::Content::values;
      for (int k = 0; buffer.content == kernel::BufferSpec::Content::values && k < 4096; ++k) {
        buffer.values.push_back(data == Data::small ? k % 3 : k * 37 % 101);
      }
      const auto stated = options.stated.buffers.find(p.name);
      spec.buffers[p.name] = stated != options.stated.buffers.end() ? stated->second : buffer;
    }
    if (auto found = run(module, function, spec, suspect, options, until)) {
      found->detail += launch_text(grid, block) + values;
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace headway::verify
