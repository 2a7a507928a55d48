#include "verify/termination.hpp"

#include <fmt/format.h>

namespace headway::verify {
namespace {

constexpr int kMostVariables = 8;  // of a loop that are tried

std::optional<std::string> ranking(smt::Context& c, const kernel::Function& function,
                                   const Encoding& encoding, std::size_t which, std::size_t item,
                                   Prover& prover) {
  const LoopState& loop = encoding.loops[which];
  std::vector<Term> facts = facts_before(c, encoding.conditions, item);
  facts.push_back(loop.active[0]);
  facts.push_back(loop.back[0]);
  int tried = 0;
  for (const Carried& one : loop.carried) {
    const Term before = one.variable[0], after = one.back[0];
    if (one.selects || c.width(before) < 2 || before == after || ++tried > kMostVariables) continue;
    const std::pair<const char*, Term> orders[] = {{"grows", c.slt(before, after)},
                                                   {"shrinks", c.slt(after, before)},
                                                   {"grows (unsigned)", c.ult(before, after)},
                                                   {"shrinks (unsigned)", c.ult(after, before)}};
    for (const auto& [how, goal] : orders) {
      if (prover.over()) return {};
      if (prover.refute(facts, goal) != smt::Answer::unsat) continue;
      const std::string name =
          one.value == kernel::kNone ? std::string() : function.value(one.value).name;
      return fmt::format("line {}: {} {} in each round", encoding.conditions.loops[which].line,
                         name.empty() ? "a variable" : name, how);
    }
  }
  return {};
}

}  // namespace

std::optional<std::vector<std::string>> rankings(smt::Context& context,
                                                 const kernel::Function& function,
                                                 const Encoding& encoding, Prover& prover) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < encoding.conditions.items.size(); ++k) {
    const Item& item = encoding.conditions.items[k];
    if (item.kind != Item::Kind::step) continue;
    auto found = ranking(context, function, encoding, item.index, k, prover);
    if (!found) return {};
    result.push_back(std::move(*found));
  }
  return result;
}

}  // namespace headway::verify
