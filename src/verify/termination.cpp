#include "verify/termination.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "verify/encoding/regions.hpp"

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

// Where a loop reads what decides whether it goes on, of memory that others may write meanwhile; 0:
// it does not.
int waiting_line(const Regions& regions, const kernel::Function& function, const Flow& flow,
                 std::size_t which) {
  const Loop& loop = flow.loops[which];
  std::map<kernel::ValueId, const kernel::Instruction*> made;
  std::set<kernel::ValueId> seen;
  std::vector<kernel::ValueId> open;
  for (const BlockId b : loop.blocks) {
    for (const kernel::Instruction& i : function.blocks[b].code) made[i.result] = &i;
  }
  for (const BlockId b : loop.exiting) {
    const auto& condition = function.blocks[b].code.back().operands;
    open.insert(open.end(), condition.begin(), condition.end());
  }
  while (!open.empty()) {
    const kernel::ValueId id = open.back();
    open.pop_back();
    const auto at = made.find(id);
    if (at == made.end() || id == kernel::kNone || !seen.insert(id).second) continue;
    const kernel::Instruction& i = *at->second;
    if (touch_of(i).reads && i.op != kernel::Op::copy) {
      const std::set<int>& from = regions.of_value[i.operands[0]];
      const bool shared = std::any_of(from.begin(), from.end(), [&](int r) {
        return regions.all[static_cast<std::size_t>(r)].shared() && !regions.constant(r);
      });
      if (shared) return i.place.line;
    }
    open.insert(open.end(), i.operands.begin(), i.operands.end());
  }
  return 0;
}

// What makes a loop end, or why that is not known.
struct Ranking {
  std::string shown, open;
};

Ranking ranking(smt::Context& c, const Regions& regions, const kernel::Function& function,
                const Flow& flow, const Encoding& encoding, std::size_t which, std::size_t item,
                Prover& prover) {
  const LoopState& loop = encoding.loops[which];
  const int line = encoding.conditions.loops[which].line;
  std::vector<Term> facts = facts_before(c, encoding.conditions, item);
  facts.push_back(loop.active[0]);
  facts.push_back(loop.back[0]);
  std::vector<std::string> names;
  int tried = 0;
  for (const Carried& one : loop.carried) {
    const Term before = one.variable[0], after = one.back[0];
    if (one.selects || c.width(before) < 2 || before == after || ++tried > kMostVariables) continue;
    const std::string name =
        one.value == kernel::kNone ? std::string() : function.value(one.value).name;
    const std::pair<const char*, Term> orders[] = {{"grows", c.slt(before, after)},
                                                   {"shrinks", c.slt(after, before)},
                                                   {"grows (unsigned)", c.ult(before, after)},
                                                   {"shrinks (unsigned)", c.ult(after, before)}};
    for (const auto& [how, goal] : orders) {
      if (prover.over()) return {"", fmt::format("line {}: no answer in time", line)};
      if (prover.refute(facts, goal) != smt::Answer::unsat) continue;
      return {fmt::format("line {}: {} {} in each round", line, name.empty() ? "a variable" : name,
                          how),
              ""};
    }
    if (!name.empty()) names.push_back(name);
  }
  if (comes_closer(c, loop, facts, prover)) {
    return {fmt::format("line {}: what is compared comes closer in each round", line), ""};
  }
  std::string open = names.empty()
                         ? fmt::format("line {}: nothing grows or shrinks in every round", line)
                         : fmt::format(
                               "line {}: of {} nothing is known to grow or to shrink in "
                               "every round, nor what is compared to come closer",
                               line, fmt::join(names, ", "));
  if (const int read = waiting_line(regions, function, flow, which); read > 0) {
    open += fmt::format("; it waits for memory that others write, at line {}", read);
  }
  return {"", std::move(open)};
}

}  // namespace

Rankings rankings(smt::Context& context, const kernel::Module& module,
                  const kernel::Function& function, const Flow& flow, const Encoding& encoding,
                  Prover& prover) {
  Rankings result;
  const Regions regions = regions_of(module, function);
  for (std::size_t k = 0; k < encoding.conditions.items.size(); ++k) {
    const Item& item = encoding.conditions.items[k];
    if (item.kind != Item::Kind::step) continue;
    Ranking one = ranking(context, regions, function, flow, encoding, item.index, k, prover);
    if (!one.shown.empty()) result.shown.push_back(std::move(one.shown));
    if (!one.open.empty()) result.open.push_back(std::move(one.open));
  }
  return result;
}

}  // namespace headway::verify
