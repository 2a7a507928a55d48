#include "verify/replay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

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

// Sets to 0 what `fails` does not need of the elements from `low` to `high`, while there is time.
void keep_needed(std::vector<kernel::Number>& values, std::size_t low, std::size_t high,
                 const std::function<bool()>& fails, StopSigns::Clock::time_point until) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(low);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(high);
  if (std::all_of(begin, end,
                  [](const kernel::Number& value) { return value == kernel::Number{}; }))
    return;
  if (StopSigns::Clock::now() >= until) return;
  const std::vector<kernel::Number> kept(begin, end);
  std::fill(begin, end, kernel::Number{});
  if (fails()) return;
  std::copy(kept.begin(), kept.end(), begin);
  if (high - low < 2) return;
  const std::size_t middle = low + (high - low) / 2;
  keep_needed(values, low, middle, fails, until);
  keep_needed(values, middle, high, fails, until);
}

// Of a launch that goes wrong by data which are not 0: what has to be there, as
// ", flag[0] = 7 at first". A flag that is raised at first hides how threads wait for each other.
std::string needed_text(const kernel::Function& function, kernel::LaunchSpec spec,
                        const Options& options,
                        const std::function<bool(const kernel::LaunchSpec&)>& fails,
                        StopSigns::Clock::time_point until) {
  constexpr std::size_t most = 6;
  std::vector<std::string> needed;
  for (const kernel::Parameter& p : function.parameters) {
    const auto buffer = spec.buffers.find(p.name);
    if (buffer == spec.buffers.end() || options.stated.buffers.contains(p.name)) continue;
    std::vector<kernel::Number>& values = buffer->second.values;
    keep_needed(
        values, 0, values.size(), [&] { return fails(spec); }, until);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] == kernel::Number{}) continue;
      needed.push_back(fmt::format("{}[{}] = {}", p.name, k, values[k].integer));
    }
  }
  if (needed.empty()) return {};
  if (needed.size() <= most) return fmt::format(", {} at first", fmt::join(needed, ", "));
  return ", with memory that is not 0 at first";
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
        buffer.values.push_back(kernel::Number::of(data == Data::small ? k % 3 : k * 37 % 101));
      }
      const auto stated = options.stated.buffers.find(p.name);
      spec.buffers[p.name] = stated != options.stated.buffers.end() ? stated->second : buffer;
    }
    if (auto found = run(module, function, spec, suspect, options, until)) {
      found->detail += launch_text(grid, block) + values;
      if (data == Data::small || data == Data::wide) {
        const auto fails = [&](const kernel::LaunchSpec& tried) {
          const auto again = run(module, function, tried, suspect, options, until);
          return again && again->line == found->line;
        };
        found->detail += needed_text(function, spec, options, fails, until);
      }
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace headway::verify
