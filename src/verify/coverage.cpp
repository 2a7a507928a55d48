#include "verify/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/premises.hpp"
#include "verify/whole_launch.hpp"

namespace headway::verify {
namespace {

using Sizes = std::array<std::optional<std::uint32_t>, 3>;

bool is_open(const Sizes& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [](const auto& size) { return !size; });
}

// "1024 in x and 64 in z", of those that are open.
std::string limits_text(const Sizes& sizes, const std::array<std::uint32_t, 3>& limits) {
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!sizes[d]) parts.push_back(fmt::format("{} in {}", limits[d], "xyz"[d]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string given_text(const kernel::Parameter& p, std::uint64_t value) {
  if (p.type.is_real()) return fmt::format("{}", kernel::to_double(value, p.type.bits));
  return fmt::format("{}", static_cast<std::int64_t>(value));
}

// Buffers that are looked at against the size that the file states, and with which arguments.
std::string sizes_text(const kernel::Function& function, const Options& options) {
  std::vector<std::string> sizes, arguments;
  for (const kernel::Parameter& p : function.parameters) {
    const auto buffer = options.stated.buffers.find(p.name);
    if (buffer != options.stated.buffers.end() && buffer->second.is_sized()) {
      sizes.push_back(fmt::format("{} ({})", p.name, elements_text(buffer->second)));
    }
    const auto argument = options.stated.arguments.find(p.name);
    if (argument == options.stated.arguments.end() || options.arguments.contains(p.name)) continue;
    const std::string text = argument_text(p, argument->second);
    if (!text.empty()) arguments.push_back(text);
  }
  const std::uint64_t added = options.stated.workgroup_bytes;
  if (added > 0) sizes.push_back(fmt::format("memory of the launch ({} bytes)", added));
  if (sizes.empty()) return {};
  return fmt::format("ends of {}{}{}, ", fmt::join(sizes, ", "), arguments.empty() ? "" : " with ",
                     fmt::join(arguments, ", "));
}

}  // namespace

Launch launch_of(const kernel::Function& function, Launch launch) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (function.group_size[d] > 0) launch.block[d] = function.group_size[d];
  }
  return launch;
}

std::string size_text(const Sizes& size) {
  std::string text;
  std::size_t last = 2;
  while (last > 0 && size[last] == 1U && !is_open(size)) --last;
  for (std::size_t d = 0; d <= last; ++d) {
    text += (d > 0 ? " x " : "") + (size[d] ? std::to_string(*size[d]) : std::string("any"));
  }
  return text;
}

std::string covers(const kernel::Function& function, const Options& options) {
  const auto count = [](const std::string& number, const char* noun) {
    return fmt::format("{} {}{}", number, noun, number == "1" ? "" : "s");
  };
  std::string text =
      fmt::format("for {} of {}, ", count(size_text(options.launch.grid), "workgroup"),
                  count(size_text(options.launch.block), "thread"));
  for (const kernel::Parameter& p : function.parameters) {
    const auto given = options.arguments.find(p.name);
    if (given != options.arguments.end())
      text += fmt::format("{} = {}, ", p.name, given_text(p, given->second));
  }
  if (options.bounds) text += sizes_text(function, options);
  return text + "all arguments and data, executions that end";
}

std::vector<std::string> premises_of(const kernel::Module& module, const kernel::Function& function,
                                     const Options& options) {
  std::vector<std::string> result =
      kernel::premises(module, function, options.launch.subgroup, options.lockstep);
  if (kernel::may_overlap(module, function)) result.emplace_back(kernel::kNoOverlap);
  const kernel::SizeLimits limits = kernel::size_limits(module.language());
  if (is_open(options.launch.block)) {
    result.push_back(fmt::format("a workgroup has at most {} threads, and at most {}",
                                 limits.threads, limits_text(options.launch.block, limits.block)));
  }
  if (is_open(options.launch.grid)) {
    result.push_back(fmt::format("a grid has at most {} workgroups",
                                 limits_text(options.launch.grid, limits.grid)));
  }
  return result;
}

}  // namespace headway::verify
