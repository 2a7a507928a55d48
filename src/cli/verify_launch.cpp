#ifdef HEADWAY_KERNELS
#include "cli/verify_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "base/text/suggestion.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/assumption.hpp"
#include "kernel/test/default_launch.hpp"
#include "lang/test.hpp"
#include "verify/coverage.hpp"
#include "verify/preconditions.hpp"

namespace headway::cli {
namespace {

bool is_given_as_number(const kernel::Parameter& p) {
  return !p.type.is_pointer() && p.by_value == 0;
}

bool is_given_as_buffer(const kernel::Parameter& p) {
  return p.type.is_pointer() && p.by_value == 0;
}

// What is asked of the kernel as its file launches it, with what that says of the arguments;
// nothing where that is no more than was asked, or where somebody else says what arguments are.
std::optional<verify::Options> launched(const kernel::Function& function,
                                        const verify::Options& options,
                                        std::vector<std::string>& facts) {
  if (!options.stated.assumptions.empty() || !options.arguments.empty()) return std::nullopt;
  const kernel::UsualLaunch& usual = function.usual;
  verify::Options result = options;
  const auto assume = [&](const std::string& fact) {
    facts.push_back(fact);
    result.stated.assumptions.push_back({fact, {fmt::format("line {}", usual.line), 0, 0}});
  };
  for (const auto& [name, range] : usual.arguments) {
    const auto [least, most] = range;
    if (least == most) {
      facts.push_back(fmt::format("{} == {}", name, least));
      result.arguments[name] = static_cast<std::uint64_t>(least);
    } else {
      assume(kernel::condition_within(name, least, most));
    }
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (usual.grid_of[d].empty()) continue;
    assume(fmt::format("gridDim.{} == {}", "xyz"[d], usual.grid_of[d]));
  }
  if (facts.empty()) return std::nullopt;
  return result;
}

std::size_t verified_of(const verify::Report& report) {
  return static_cast<std::size_t>(
      std::ranges::count(report.findings, verify::Verdict::verified, &verify::Finding::verdict));
}

}  // namespace

SaidSizes parse_sizes(const std::string& text, const char* option) {
  SaidSizes said;
  std::string numbers;
  std::vector<bool> open;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    open.push_back(word == "any");
    numbers += (numbers.empty() ? "" : ",") + (word == "any" ? "1" : word);
  }
  const kernel::Extent extent = kernel::parse_extent(numbers, {option, 0, 0});
  said.dimensions = open.size();
  said.any = text == "any";
  for (std::size_t d = 0; d < 3; ++d) {
    said.sizes[d] = extent[d];
    if (d < open.size() && open[d]) said.sizes[d].reset();
  }
  return said;
}

verify::Launch launch_for(const kernel::Function& function, const SaidSizes& block,
                          const SaidSizes& grid) {
  verify::Launch launch;
  launch.block = block.sizes;
  launch.grid = grid.sizes;
  // Of a kernel for rows and columns, one row says little.
  if (block.dimensions == 0 && kernel::has_rows_of_threads(function)) launch.block = {8, 8, 1};
  if (grid.dimensions == 0 && kernel::has_rows_of_groups(function)) launch.grid = {8, 8, 1};
  for (std::size_t d = 1; d < 3; ++d) {
    if (block.any && kernel::looks_at_threads(function, d)) launch.block[d].reset();
    if (grid.any && kernel::looks_at_groups(function, d)) launch.grid[d].reset();
  }
  return launch;
}

void take_usual(const kernel::Function& function, bool says_grid, verify::Options& options) {
  const kernel::UsualLaunch& usual = function.usual;
  for (std::size_t d = 0; d < 3; ++d) {
    if (usual.block) options.launch.block[d] = (*usual.block)[d];
    if (usual.grid[d] && !says_grid) options.launch.grid[d] = usual.grid[d];
  }
  if (options.stated.workgroup_bytes == 0) options.stated.workgroup_bytes = usual.workgroup_bytes;
}

std::string usual_note(const kernel::Function& function, const verify::Options& options) {
  return fmt::format("kernel {}: workgroups of {} threads, as in line {} (--block, --grid)",
                     function.name, verify::size_text(options.launch.block), function.usual.line);
}

verify::Report verify_as_launched(const kernel::Module& module, const kernel::Function& function,
                                  const verify::Options& options, std::string& note) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> facts;
  const std::optional<verify::Options> as_launched = launched(function, options, facts);
  if (!as_launched) return verify::verify_with_ranges(module, function, options);
  verify::Options own = options;
  own.kernel_limit = options.kernel_limit / 2;
  verify::Report report = verify::verify_with_ranges(module, function, own);
  const std::size_t verified = verified_of(report);
  if (verified == report.findings.size() || (options.stop != nullptr && *options.stop)) {
    return report;
  }
  own = *as_launched;
  own.kernel_limit -=
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  if (own.kernel_limit <= std::chrono::milliseconds(0)) return report;
  verify::Report other;
  try {
    other = verify::verify_with_ranges(module, function, own);
  } catch (const lang::Undecided&) {
    throw;
  } catch (const Error&) {
    return report;  // the kernel itself asks for other arguments
  }
  const bool goes_wrong = std::ranges::any_of(other.findings, [](const verify::Finding& f) {
    return f.verdict == verify::Verdict::violated || f.verdict == verify::Verdict::possible;
  });
  if (goes_wrong || verified_of(other) <= verified) return report;
  note = fmt::format(
      "kernel {}: verified for what its launches in this file{} pass, {}; of all arguments: ",
      function.name, function.usual.has_others ? " that have these sizes" : "",
      fmt::join(facts, ", "));
  std::vector<std::string> of_all;
  for (const verify::Finding& f : report.findings) {
    if (f.verdict == verify::Verdict::verified) continue;
    of_all.push_back(fmt::format("{} {}", verify::name_of(f.property), verify::name_of(f.verdict)));
  }
  note += fmt::format("{} (--block)", fmt::join(of_all, ", "));
  other.seconds += report.seconds;
  return other;
}

std::vector<std::string> dimension_notes(const kernel::Function& function,
                                         const verify::Launch& launch, const SaidSizes& block,
                                         const SaidSizes& grid) {
  std::vector<std::string> notes;
  const bool sized = function.group_size[0] > 0;
  if (!sized && block.dimensions < 2 && launch.block[1] == 1U &&
      kernel::has_rows_of_threads(function)) {
    notes.push_back(
        fmt::format("kernel {} looks at y of threads, of which workgroups have one "
                    "there; --block X,Y gives them more",
                    function.name));
  }
  if (grid.dimensions < 2 && launch.grid[1] == 1U && kernel::has_rows_of_groups(function)) {
    notes.push_back(
        fmt::format("kernel {} looks at y of workgroups, of which the grid has one "
                    "there; --grid X,Y gives it more",
                    function.name));
  }
  return notes;
}

std::string fill_tiles(const kernel::ReadKernels& read, const kernel::Function& function,
                       verify::Options& options) {
  const auto is_tile = [](const kernel::Object& object) {
    return object.space == kernel::Space::workgroup;
  };
  auto& [x, y, z] = options.launch.block;
  if (function.group_size[0] > 0 || !x || !y || !z ||
      (std::ranges::none_of(read.module->objects, is_tile) &&
       std::ranges::none_of(function.locals, is_tile))) {
    return {};
  }
  kernel::LaunchSpec spec = options.stated;
  spec.grid = {1, 1, 1};
  spec.subgroup = static_cast<int>(options.launch.subgroup);
  for (const kernel::Parameter& parameter : function.parameters) {
    const auto given = options.arguments.find(parameter.name);
    if (given == options.arguments.end()) continue;
    // A real is what leads nowhere here.
    if (parameter.type.is_real()) continue;
    spec.arguments[parameter.name].integer = static_cast<std::int64_t>(given->second);
  }
  // Most of the time is for proofs.
  const double seconds = std::chrono::duration<double>(options.kernel_limit).count() / 10;
  kernel::AnalysisOptions within;
  within.explore.stop = StopSigns(options.stop, StopSigns::after(seconds));
  kernel::Filling filling;
  try {
    filling = kernel::filling_block(read.module, function, spec, read.text, within, {*x, *y, *z},
                                    seconds);
  } catch (const Error&) {
    return {};  // verify says what is wrong
  }
  if (!filling.is_lacking) return {};
  const std::string before = verify::size_text(options.launch.block);
  if (!filling.block) {
    return fmt::format(
        "kernel {}: workgroups of {} threads leave a part of a tile unwritten that they read; "
        "--block says how large they are",
        function.name, before);
  }
  for (std::size_t d = 0; d < 3; ++d) options.launch.block[d] = (*filling.block)[d];
  return fmt::format(
      "kernel {}: workgroups of {} threads, as {} leave a part of a tile unwritten that they read "
      "(--block)",
      function.name, verify::size_text(options.launch.block), before);
}

kernel::Argument parse_given(const std::string& text) {
  kernel::Argument given = kernel::parse_argument(text, {"--arg " + text, 0, 0});
  if (given.value) return given;
  throw Error(fmt::format("--arg {}: expected NAME=NUMBER, as in n=1024", text));
}

std::map<std::string, std::uint64_t> arguments_for(const kernel::Function& function,
                                                   const std::vector<kernel::Argument>& given) {
  std::map<std::string, std::uint64_t> result;
  for (const kernel::Argument& argument : given) {
    const auto of = std::ranges::find(function.parameters, argument.name, &kernel::Parameter::name);
    if (of == function.parameters.end() || !is_given_as_number(*of)) continue;
    if (of->type.is_real()) {
      result[argument.name] = kernel::from_double(argument.value->real, of->type.bits);
      continue;
    }
    if (argument.value->is_real) {
      throw Error(argument.where, fmt::format("the parameter '{}' of kernel '{}' is an integer; "
                                              "expected one",
                                              argument.name, function.name));
    }
    result[argument.name] = static_cast<std::uint64_t>(argument.value->integer);
  }
  return result;
}

void keep_own_buffers(kernel::LaunchSpec& stated, const kernel::Function& function) {
  std::erase_if(stated.buffers, [&](const auto& buffer) {
    return std::ranges::none_of(function.parameters, [&](const kernel::Parameter& p) {
      return p.name == buffer.first && is_given_as_buffer(p);
    });
  });
}

void KnownNames::add(const kernel::Function& function) {
  for (const kernel::Parameter& p : function.parameters) {
    if (is_given_as_number(p)) numbers_.insert(p.name);
    if (is_given_as_buffer(p)) pointers_.insert(p.name);
  }
}

void KnownNames::require(const std::vector<kernel::Argument>& arguments,
                         const kernel::LaunchSpec& stated) const {
  for (const kernel::Argument& each : arguments) {
    require(each.where.file, each.name, numbers_, pointers_, "a pointer; expected --buffer");
  }
  for (const auto& [name, buffer] : stated.buffers) {
    require(buffer.where.file, name, pointers_, numbers_, "no pointer; expected --arg");
  }
}

void KnownNames::require(const std::string& option, const std::string& name,
                         const std::set<std::string>& known, const std::set<std::string>& others,
                         const char* expected) const {
  if (known.contains(name)) return;
  if (others.contains(name)) {
    throw Error(fmt::format("{}: the parameter '{}' is {}", option, name, expected));
  }
  throw Error(fmt::format("{}: no kernel that was read has a parameter '{}'{}", option, name,
                          did_you_mean(name, {known.begin(), known.end()})));
}

}  // namespace headway::cli
#endif
