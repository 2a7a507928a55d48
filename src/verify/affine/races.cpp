#include "verify/affine/races.hpp"

#include <algorithm>

#include "verify/affine/conflicts.hpp"

namespace headway::verify::affine {

namespace {

std::pair<const kernel::Instruction*, const kernel::Instruction*> pair_of(const Check& check) {
  return std::minmax(check.first, check.second);
}

bool is_of_pair(const Check& check) {
  return check.property == Property::race && check.first != nullptr && check.second != nullptr;
}

}  // namespace

Apart find_apart(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
                 const Options& options, const Encoding& encoding,
                 std::chrono::steady_clock::time_point until) {
  Apart result;
  const auto& checks = encoding.conditions.checks;
  if (options.left_out.contains("affine") || options.cross_check ||
      !std::ranges::any_of(checks, is_of_pair) || !has_isl()) {
    return result;
  }
  Conflicts conflicts(module, function, flow, options, encoding.learned, until);
  std::set<std::pair<const kernel::Instruction*, const kernel::Instruction*>> asked;
  for (const Check& check : checks) {
    if (!is_of_pair(check) || !asked.insert(pair_of(check)).second) continue;
    if (std::chrono::steady_clock::now() >= until || (options.stop != nullptr && *options.stop))
      break;
    ++result.asked;
    const auto [first, second] = pair_of(check);
    if (!conflicts.are_apart(*first, *second)) continue;
    result.pairs.insert({first, second});
    ++result.shown;
  }
  return result;
}

void settle(smt::Context& context, const Apart& apart, Encoding& encoding) {
  for (Check& check : encoding.conditions.checks) {
    if (is_of_pair(check) && apart.pairs.contains(pair_of(check))) {
      check.claim = context.truth(true);
    }
  }
}

bool needs_no_log(const smt::Context& context, const Encoding& encoding) {
  const Conditions& conditions = encoding.conditions;
  const bool claims =
      encoding.views || std::ranges::any_of(conditions.candidates, [](const Candidate& candidate) {
        return candidate.user;
      });
  return !claims && std::ranges::none_of(conditions.checks, [&](const Check& check) {
    const bool speaks_of_it =
        check.property == Property::race || check.property == Property::assertion;
    return speaks_of_it && !context.is_true(check.claim);
  });
}

}  // namespace headway::verify::affine
