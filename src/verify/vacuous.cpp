#include "verify/vacuous.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::verify {

std::optional<kernel::Place> unfulfilled(smt::Context& context, const Encoding& encoding,
                                         Prover& prover) {
  constexpr std::size_t most = 16;  // that are asked for
  for (std::size_t p = 0; p < std::min(encoding.suppositions.size(), most); ++p) {
    const Supposition& one = encoding.suppositions[p];
    const std::vector<Term> facts = facts_before(context, encoding.conditions, one.item);
    const auto never = [&](Term t) {
      return prover.refute(facts, context.negation(t)) == smt::Answer::unsat;
    };
    if (never(one.holds) && !never(one.here)) return one.place;
  }
  return {};
}

std::optional<std::string> excluded_launch(const kernel::Function& function, const Launch& launch) {
  std::uint64_t threads = 1;
  for (const auto& size : launch.block) threads *= size.value_or(1);
  if (function.most_threads == 0 || threads <= function.most_threads) return {};
  return fmt::format(
      "there is no launch with workgroups of {} threads, which a __launch_bounds__ of {} excludes",
      threads, function.most_threads);
}

bool is_of_one_thread(const kernel::Function& function, const Options& options) {
  using kernel::Claim;
  const auto claims = [](const kernel::Instruction& i) {
    const bool supposes = i.claim == Claim::assumption || i.claim == Claim::precondition ||
                          i.claim == Claim::within ||  // of the bounds that options ask for
                          i.claim == Claim::shown;
    return i.op == kernel::Op::trap || (i.op == kernel::Op::claim && !supposes);
  };
  return options.bounds ||
         std::any_of(function.blocks.begin(), function.blocks.end(), [&](const auto& block) {
           return std::any_of(block.code.begin(), block.code.end(), claims);
         });
}

std::optional<Launch> single_launch(const kernel::Function& function, const Options& options) {
  Launch result = options.launch;
  bool is_open = false;
  for (std::size_t d = 0; d < 3; ++d) {
    if (function.group_size[d] > 0) result.block[d] = function.group_size[d];
    for (auto* size : {&result.block[d], &result.grid[d]}) {
      is_open = is_open || !*size;
      *size = size->value_or(1);
      if (*size != 1U) return {};
    }
  }
  return is_open ? std::optional(result) : std::nullopt;
}

}  // namespace headway::verify
