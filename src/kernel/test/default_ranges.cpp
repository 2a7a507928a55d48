#include "kernel/test/default_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::kernel {
namespace {

constexpr std::int64_t kLeast = 8, kMost = 64;  // of the highest value

bool says_what_it_requires(const Function& function) {
  const auto is_requirement = [](const Instruction& i) {
    return i.op == Op::claim && (i.claim == Claim::precondition || i.claim == Claim::assumption);
  };
  return std::ranges::any_of(function.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.code, is_requirement);
  });
}

}  // namespace

std::vector<std::string> add_default_ranges(const Module& module, const Function& function,
                                            LaunchSpec& spec) {
  if (!spec.assumptions.empty() || says_what_it_requires(function)) return {};
  smt::Context terms;
  const PreparedLaunch prepared = prepare_launch(module, function, spec, terms);
  const std::int64_t high = std::clamp<std::int64_t>(prepared.launch.threads(), kLeast, kMost);
  std::vector<std::string> notes;
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const Parameter& parameter = function.parameters[p];
    const bool is_integer = parameter.type.is_integer() && parameter.type.bits >= 8;
    const bool is_open = prepared.launch.arguments[p].kind == Cell::Kind::term;
    if (!is_integer || !is_open || spec.arguments.contains(parameter.name)) continue;
    ArgumentSpec& made = spec.arguments[parameter.name];
    made.unknown = true;
    made.range = {0, high};
    notes.push_back(fmt::format("{} = unknown(0..{})", parameter.name, high));
  }
  return notes;
}

}  // namespace headway::kernel
