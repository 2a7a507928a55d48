#include "verify/whole_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/machine/code.hpp"
#include "kernel/machine/one_order.hpp"
#include "verify/encoding/flow.hpp"
#include "verify/encoding/regions.hpp"
#include "verify/trials.hpp"
#include "verify/uniform_barriers.hpp"
#include "verify/walks.hpp"

namespace headway::verify {

namespace {

using kernel::Instruction;
using kernel::Op;

// Claims that the engine does not look at, and accesses that it takes for another thing than a
// proof does: there is no answer by it then.
bool means_the_same(const kernel::Module& module, const kernel::Function& function,
                    const kernel::Code& code) {
  for (kernel::BlockId b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& i : function.blocks[b].code) {
      if (i.op == Op::annotation) return false;
      if (i.op == Op::claim && !is_of_thread(i.claim) &&
          !(i.claim == kernel::Claim::precondition && is_own_precondition(i, b))) {
        return false;
      }
      const bool plain = i.op == Op::load || i.op == Op::store;
      if (plain && i.is_volatile && module.volatile_is_atomic && !code.is_private(i.operands[0])) {
        return false;
      }
    }
  }
  return true;
}

// Nothing where a number is not given, or the launch is too large.
std::optional<kernel::LaunchSpec> described(const kernel::Function& function,
                                            const Options& options, bool& known) {
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
  known = true;
  for (const kernel::Parameter& p : function.parameters) {
    if (p.by_value > 0) continue;
    if (p.type.is_pointer()) {
      // What nobody says is unknown, also where threads wait for it.
      if (p.space != kernel::Space::workgroup) spec.buffers.try_emplace(p.name);
      continue;
    }
    if (const auto given = options.arguments.find(p.name); given != options.arguments.end()) {
      kernel::ArgumentSpec argument;
      argument.integer = static_cast<std::int64_t>(given->second);
      if (p.type.is_real()) argument.value = kernel::to_double(given->second, p.type.bits);
      spec.arguments[p.name] = argument;
    }
    const auto stated = spec.arguments.find(p.name);
    known = known && stated != spec.arguments.end() && !stated->second.unknown;
  }
  return spec;
}

// Behind the names of buffers of which it is said.
std::string buffer_text(const kernel::BufferSpec& given) {
  using Content = kernel::BufferSpec::Content;
  std::string text;
  if (given.is_sized()) text = " of " + elements_text(given);
  if (given.content == Content::zero) text += " 0 at first";
  if (given.content == Content::iota) text += " 0, 1, 2 and so on at first";
  if (given.content == Content::values) text += " as stated at first";
  if (given.range) {
    text += fmt::format(" in {}..{} at first", given.range->first, given.range->second);
  }
  return text;
}

// Variables of the module that the code names and that may change.
std::vector<std::string> variables_of(const kernel::Module& module,
                                      const kernel::Function& function,
                                      const kernel::Launch& launch) {
  std::set<std::string> names;
  for (const kernel::Value& value : function.values) {
    if (value.kind != kernel::Value::Kind::address || value.object >= kernel::kFirstLocal) continue;
    const kernel::Object& object = module.objects[value.object];
    const bool is_variable =
        object.space == kernel::Space::global || object.space == kernel::Space::constant;
    const bool is_known =
        launch.objects[launch.instance(value.object, 0)].fill != kernel::Fill::unknown;
    if (is_variable && is_known && !object.read_only && !object.is_function) {
      names.insert(object.name);
    }
  }
  return {names.begin(), names.end()};
}

// Whether an argument may be null: the engine takes those of which nothing is said for buffers.
bool may_be_null(const kernel::Module& module, const kernel::Function& function,
                 const kernel::LaunchSpec& stated) {
  const Regions regions = regions_of(module, function);
  const std::size_t first = 2 + module.objects.size() + function.locals.size();
  for (std::size_t r = first; r < regions.all.size(); ++r) {
    const Region& region = regions.all[r];
    if (region.may_be_null && !stated.buffers.contains(region.name)) return true;
  }
  return false;
}

// What it holds for alone.
std::string text_of(const WholeLaunch& launch, const kernel::Function& function) {
  const kernel::Runnable& run = *launch.found.run;
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> buffers;  // what is said, of which
  for (const kernel::Parameter& p : function.parameters) {
    const auto argument = launch.spec.arguments.find(p.name);
    if (argument != launch.spec.arguments.end()) {
      std::string text = argument_text(p, argument->second);
      if (!text.empty()) parts.push_back(std::move(text));
    }
    const auto buffer = launch.spec.buffers.find(p.name);
    const std::string text =
        buffer == launch.spec.buffers.end() ? std::string() : buffer_text(buffer->second);
    if (text.empty()) continue;
    const auto same = std::find_if(buffers.begin(), buffers.end(),
                                   [&](const auto& one) { return one.first == text; });
    if (same == buffers.end()) {
      buffers.emplace_back(text, p.name);
    } else {
      same->second += ", " + p.name;
    }
  }
  for (const auto& [text, names] : buffers) parts.push_back(names + text);
  const std::vector<std::string> variables = variables_of(*run.module, function, run.launch);
  if (!variables.empty()) {
    parts.push_back(fmt::format("{} as initialized", fmt::join(variables, ", ")));
  }
  for (const kernel::Object& object : run.module->objects) {
    if (!object.launch_sized) continue;
    parts.push_back(fmt::format("{} of {} bytes", object.name, run.launch.workgroup_bytes));
  }
  if (!kernel::is_in_one_order(run.launch, *run.code))
    parts.emplace_back("atomic accesses in one order for all threads");
  std::string text = "all executions of this launch";
  if (!parts.empty()) text += fmt::format(", with {}", fmt::join(parts, "; "));
  return text;
}

}  // namespace

std::string elements_text(const kernel::BufferSpec& given) {
  if (given.count) return given.count->text + " elements";
  return fmt::format("{} element{}", given.elements, given.elements == 1 ? "" : "s");
}

std::string argument_text(const kernel::Parameter& p, const kernel::ArgumentSpec& given) {
  if (!given.unknown) {
    return p.type.is_real() ? fmt::format("{} = {}", p.name, given.value)
                            : fmt::format("{} = {}", p.name, given.integer);
  }
  if (!given.range) return {};
  return fmt::format("{} in {}..{}", p.name, given.range->first, given.range->second);
}

std::optional<WholeLaunch> look_at_whole_launch(const kernel::Module& module,
                                                const kernel::Function& function,
                                                const Options& options, bool all_faults,
                                                std::chrono::steady_clock::time_point until) {
  WholeLaunch result;
  const auto spec = described(function, options, result.known);
  if (!spec || !kernel::refusals(function, false).empty()) return {};
  result.spec = *spec;
  kernel::AnalysisOptions analysis;
  analysis.count_benign = options.benign_count;
  analysis.explore.all_faults = all_faults;
  analysis.explore.max_states = 500'000;
  analysis.explore.max_memory = std::size_t{1} << 30;
  analysis.explore.stop = StopSigns(options.stop, until);
  try {
    const std::shared_ptr<const kernel::Module> shared(std::shared_ptr<void>(), &module);
    result.found = kernel::analyse(shared, function, *spec, nullptr, analysis);
  } catch (const Error&) {
    return {};  // the engine does not take this launch
  }
  const kernel::Runnable& run = *result.found.run;
  const kernel::Exploration& seen = result.found.exploration;
  result.right = seen.complete && seen.faults.empty() && !seen.all_excluded &&
                 !run.machine->approximated() && means_the_same(module, function, *run.code) &&
                 !may_be_null(module, function, options.stated);
  result.uniform = result.right && has_uniform_barriers(*run.code);
  result.of = text_of(result, function);
  return result;
}

std::map<Property, TrialFault> certain_faults(const WholeLaunch& launch, const Options& options) {
  std::map<Property, TrialFault> result;
  // In lockstep some executions are none.
  if (options.lockstep) return result;
  const kernel::Runnable& run = *launch.found.run;
  const kernel::Function& function = *run.launch.function;
  // Whether it is known how large what is accessed is.
  const auto is_sized = [&](const Instruction& access) {
    const bool copies = access.op == Op::copy;
    for (std::size_t k = 0; k < (copies ? 2 : 1); ++k) {
      const kernel::Bases& bases = run.code->bases(access.operands[k]);
      if (bases.any) return false;
      for (const std::uint32_t p : bases.parameters) {
        const auto buffer = launch.spec.buffers.find(function.parameters[p].name);
        if (buffer == launch.spec.buffers.end() || !buffer->second.is_sized()) return false;
      }
      for (const kernel::ObjectId o : bases.objects) {
        const bool guessed = run.module->object(function, o).launch_sized;
        if (guessed && launch.spec.workgroup_bytes == 0) return false;
      }
    }
    return true;
  };
  for (const kernel::FoundFault& one : launch.found.exploration.faults) {
    const auto property = property_of(one.fault.kind);
    const Instruction& at = run.code->instruction(one.fault.instruction);
    if (!property || one.fault.possible || at.op == Op::unreachable) continue;
    if (*property == Property::bounds && !is_sized(at)) continue;
    TrialFault fault = fault_of(run, one.fault, *property);
    fault.detail += launch_text(*launch.spec.grid, *launch.spec.block);
    for (const kernel::Parameter& p : function.parameters) {
      const auto given = launch.spec.arguments.find(p.name);
      if (given == launch.spec.arguments.end()) continue;
      const std::string text = argument_text(p, given->second);
      if (!text.empty()) fault.detail += ", " + text;
    }
    result.emplace(*property, std::move(fault));
  }
  return result;
}

std::optional<std::string> ends_under(const WholeLaunch& launch, const Options& options,
                                      const StopSigns& stop) {
  if (!launch.right) return {};
  if (!launch.found.exploration.has_cycle) {
    return fmt::format("under every model, by {}", launch.of);
  }
  // In lockstep, threads may hold each other up that no model does.
  if (options.lockstep || !options.not_ending) return {};
  const auto names = options.not_ending(launch.found, launch.spec, stop);
  if (!names || !names->empty()) return {};
  return fmt::format("under {}, weakly fair, by {}", options.models, launch.of);
}

}  // namespace headway::verify
