#include "verify/termination.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::verify {
namespace {

constexpr int kMostVariables = 8;  // of a loop that are tried
constexpr std::size_t kMostDistances = 4;

// What is between the sides of the comparisons that a condition depends on, as far as it follows
// from the head of the loop: then it is the same function of every head.
void distances(smt::Context& c, const LoopState& loop, Term condition, std::vector<Term>& found) {
  const smt::Node& n = c.node(condition);
  if (n.kind == smt::Kind::ult || n.kind == smt::Kind::slt) {
    const Term distance = c.sub(n.args[1], n.args[0]);
    const std::vector<Term> leaves = c.leaves(distance);
    const bool of_head = std::all_of(leaves.begin(), leaves.end(), [&](Term leaf) {
      return leaf.id < loop.first_variable ||
             std::any_of(loop.carried.begin(), loop.carried.end(),
                         [&](const Carried& one) { return one.own[0] == leaf; });
    });
    if (of_head && found.size() < kMostDistances) found.push_back(c.zext(distance, 64));
  } else if (n.kind == smt::Kind::negation || n.kind == smt::Kind::conjunction ||
             n.kind == smt::Kind::disjunction) {
    const std::vector<Term> parts = n.args;
    for (const Term part : parts) distances(c, loop, part, found);
  }
}

// Whether a distance, or the sum of two, shrinks in each round.
bool comes_closer(smt::Context& c, const LoopState& loop, const std::vector<Term>& facts,
                  Prover& prover) {
  std::vector<Term> all;
  for (const auto& condition : loop.exit_conditions) distances(c, loop, condition[0], all);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::size_t single = all.size();
  for (std::size_t a = 0; a < single; ++a) {
    for (std::size_t b = 0; b < a; ++b) all.push_back(c.add(all[a], all[b]));
  }
  return std::any_of(all.begin(), all.end(), [&](Term now) {
    const Term next = c.substitute(now, loop.at_step);
    return next != now && prover.refute(facts, c.ult(next, now)) == smt::Answer::unsat;
  });
}

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
  if (comes_closer(c, loop, facts, prover)) {
    return fmt::format("line {}: what is compared comes closer in each round",
                       encoding.conditions.loops[which].line);
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
