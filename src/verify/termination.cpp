#include "verify/termination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "verify/encoding/regions.hpp"

namespace headway::verify {
namespace {

constexpr std::size_t kMostVariables = 8;  // of a loop that are tried
constexpr std::size_t kMostDistances = 4;

// Whether a term follows from the head of the loop: then it is the same function of every head.
bool is_of_head(const smt::Context& c, const LoopState& loop, Term term) {
  const std::vector<Term> leaves = c.leaves(term);
  return std::all_of(leaves.begin(), leaves.end(), [&](Term leaf) {
    return leaf.id < loop.first_variable ||
           std::any_of(loop.carried.begin(), loop.carried.end(),
                       [&](const Carried& one) { return one.own[0] == leaf; });
  });
}

// What is between the sides of the comparisons by which a loop goes on, where `condition` is
// `when`.
void distances(smt::Context& c, const LoopState& loop, Term condition, bool when,
               std::vector<Term>& found) {
  const smt::Node& n = c.node(condition);
  if (n.kind == smt::Kind::ult || n.kind == smt::Kind::slt) {
    const Term distance = c.sub(n.args[when ? 1 : 0], n.args[when ? 0 : 1]);
    if (is_of_head(c, loop, distance) && found.size() < kMostDistances) {
      found.push_back(c.zext(distance, 64));
    }
  } else if (n.kind == smt::Kind::negation || n.kind == smt::Kind::conjunction ||
             n.kind == smt::Kind::disjunction) {
    const std::vector<Term> parts = n.args;
    if (n.kind == smt::Kind::negation) when = !when;
    for (const Term part : parts) distances(c, loop, part, when, found);
  }
}

// A way out of a loop: it goes on where the condition is `when`.
struct Exit {
  Term condition;
  bool when = true, at_head = false;
};
std::vector<Exit> exits_of(const LoopState& loop, const kernel::Function& function,
                           const Flow& flow, std::size_t which) {
  std::vector<Exit> exits;
  const Loop& shape = flow.loops[which];
  for (const BlockId b : shape.exiting) {
    const kernel::Instruction& end = function.blocks[b].end();
    if (end.op != kernel::Op::branch || flow.loop[b] != static_cast<int>(which)) continue;
    exits.push_back({loop.exit_conditions[exits.size()][0],
                     flow.in_loop(end.targets[0], static_cast<int>(which)), b == shape.head});
  }
  return exits;
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
      if (shared || i.is_volatile || touch_of(i).atomic) return i.place.line;
    }
    open.insert(open.end(), i.operands.begin(), i.operands.end());
  }
  return 0;
}

// As the source calls it: promotion to registers numbers its variables.
std::string name_of(const kernel::Function& function, const Carried& one) {
  if (one.value == kernel::kNone) return {};
  const std::string& name = function.value(one.value).name;
  const std::size_t dot = name.find_last_not_of("0123456789");
  return dot == std::string::npos || name[dot] != '.' ? name : name.substr(0, dot);
}

// Questions about a round of a loop that is followed by another one.
class Round {
 public:
  // `within`: what holds of the accesses of a round, and of those of the next one.
  Round(smt::Context& c, const LoopState& loop, std::vector<Exit> exits,
        const std::vector<Term>& facts, const std::vector<Term>& within, Prover& prover)
      : c_(c), loop_(loop), exits_(std::move(exits)), prover_(prover) {
    for (const Carried& one : loop.carried) after_[one.own[0].id] = one.back[0];
    for (const Term fact : facts) facts_.push_back(plain(fact));
    facts_.push_back(plain(loop.active[0]));
    facts_.push_back(plain(loop.back[0]));
    // That one goes past the head, as far as that follows from what this one leaves.
    for (const Exit& exit : exits_) {
      if (!exit.at_head || !is_of_head(c, loop, exit.condition)) continue;
      const Term next = c.substitute(exit.condition, after_);
      facts_.push_back(plain(exit.when ? next : c.negation(next)));
    }
    smt::Substitution in_next = after_;
    in_next[loop.active_own[0].id] = c.truth(true);
    for (const Term one : within) {
      facts_.push_back(plain(one));
      const std::vector<Term> leaves = c.leaves(one);
      const bool is_known = std::ranges::all_of(leaves, [&](Term leaf) {
        return leaf.id < loop.first_variable || in_next.contains(leaf.id);
      });
      if (is_known) facts_.push_back(plain(c.substitute(one, in_next)));
    }
  }

  // In which way a variable moves.
  std::optional<std::string> direction(const Carried& one) {
    const Term before = one.variable[0], after = one.back[0];
    const std::pair<const char*, Term> orders[] = {{"grows", c_.slt(before, after)},
                                                   {"shrinks", c_.slt(after, before)},
                                                   {"grows (unsigned)", c_.ult(before, after)},
                                                   {"shrinks (unsigned)", c_.ult(after, before)}};
    for (const auto& [how, goal] : orders) {
      if (follows(goal)) return how;
    }
    return {};
  }

  // Whether the loop is left by what comes to be less than something else.
  bool has_distance() {
    return std::ranges::any_of(all_distances(),
                               [&](Term now) { return c_.substitute(now, after_) != now; });
  }

  // Whether a distance, or the sum of two, shrinks.
  bool comes_closer() {
    std::vector<Term> all = all_distances();
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const std::size_t single = all.size();
    for (std::size_t a = 0; a < single; ++a) {
      for (std::size_t b = 0; b < a; ++b) all.push_back(c_.add(all[a], all[b]));
    }
    return std::any_of(all.begin(), all.end(), [&](Term now) {
      const Term next = c_.substitute(now, after_);
      return next != now && follows(c_.ult(next, now));
    });
  }

  bool is_strided(const Carried& one) const {
    return c_.is_constant(c_.sub(one.back[0], one.variable[0]));
  }

 private:
  std::vector<Term> all_distances() {
    std::vector<Term> all;
    for (const Exit& exit : exits_) distances(c_, loop_, exit.condition, exit.when, all);
    return all;
  }

  bool follows(Term goal) { return prover_.refute(facts_, plain(goal)) == smt::Answer::unsat; }

  // Whatever memory holds: then questions are about numbers alone, which are easier.
  Term plain(Term t) {
    for (const Term leaf : c_.leaves(t)) {
      const smt::Node& n = c_.node(leaf);
      if (n.kind != smt::Kind::apply || any_.contains(leaf.id)) continue;
      any_[leaf.id] = c_.fresh("any", n.width);
    }
    return c_.substitute(t, any_);
  }

  smt::Context& c_;
  const LoopState& loop_;
  std::vector<Exit> exits_;
  Prover& prover_;
  std::vector<Term> facts_;
  smt::Substitution after_, any_;
};

// Of the accesses in a loop, as far as executions without an error are looked at.
std::vector<Term> within_arrays(const Encoding& encoding, std::size_t which, std::size_t step) {
  const std::vector<Item>& items = encoding.conditions.items;
  std::size_t head = step;
  while (items[head].kind != Item::Kind::head || items[head].index != which) --head;
  std::vector<Term> result;
  for (const Extent& one : encoding.extents) {
    if (one.item > head && one.item <= step) result.push_back(one.within);
  }
  return result;
}

// What makes a loop end: "i grows in each round"; nothing where that is not known.
std::optional<std::string> measure(const kernel::Function& function, Round& round,
                                   const std::vector<const Carried*>& tried) {
  bool closer = false;
  for (std::size_t k = 0; k <= tried.size(); ++k) {
    if (!closer && (k == tried.size() || !round.is_strided(*tried[k]))) {
      closer = true;
      if (round.comes_closer()) return "what is compared comes closer in each round";
    }
    if (k == tried.size()) break;
    if (const auto how = round.direction(*tried[k])) {
      const std::string name = name_of(function, *tried[k]);
      return fmt::format("{} {} in each round", name.empty() ? "a variable" : name, *how);
    }
  }
  return {};
}

// What makes a loop end, into `result`, or why that is not known.
void rank(smt::Context& c, const Regions& regions, const kernel::Function& function,
          const Flow& flow, const Encoding& encoding, std::size_t step,
          const std::vector<Term>& facts, Prover& prover, Rankings& result) {
  const std::size_t which = encoding.conditions.items[step].index;
  const LoopState& loop = encoding.loops[which];
  const int line = encoding.conditions.loops[which].line;
  const std::vector<Exit> exits = exits_of(loop, function, flow, which);
  Round round(c, loop, exits, facts, {}, prover);
  std::vector<const Carried*> tried;
  for (const Carried& one : loop.carried) {
    const Term before = one.variable[0], after = one.back[0];
    if (one.selects || c.width(before) < 2 || before == after) continue;
    if (tried.size() < kMostVariables) tried.push_back(&one);
  }
  // Counters first, and what else moves last.
  const auto is_strided = [&](const Carried* one) { return round.is_strided(*one); };
  std::stable_partition(tried.begin(), tried.end(), is_strided);
  if (const auto how = measure(function, round, tried)) {
    result.shown[which] = fmt::format("line {}: {}", line, *how);
    return;
  }
  // What wraps around is an index that is in front of an array. A loop past its end (i != n) goes
  // through what is behind the array before.
  const std::vector<Term> within = within_arrays(encoding, which, step);
  if (!within.empty() && round.has_distance() && std::ranges::any_of(tried, is_strided)) {
    Round sound(c, loop, exits, facts, within, prover);
    if (const auto how = measure(function, sound, tried)) {
      result.shown[which] =
          fmt::format("line {}: {}, as accesses stay within their arrays", line, *how);
      result.assumed.push_back(fmt::format(
          "accesses in the loop in line {} stay within their arrays, so that it ends", line));
      return;
    }
  }
  std::string why = fmt::format("line {}: nothing is known to grow or shrink in every round", line);
  if (prover.over()) {
    why += ", and there was no time to try all";
    result.all_tried = false;
  }
  for (const Carried* one : tried) {
    const std::string name = name_of(function, *one);
    if (name.empty() || !round.is_strided(*one)) continue;
    why += fmt::format("; {} may wrap around", name);
    result.counter_may_wrap = true;
  }
  if (const int read = waiting_line(regions, function, flow, which); read > 0) {
    why += fmt::format("; it waits for memory that others write, at line {}", read);
  }
  result.open.push_back(std::move(why));
}

}  // namespace

void rank_loops(smt::Context& context, const kernel::Module& module,
                const kernel::Function& function, const Flow& flow, const Encoding& encoding,
                Invariants invariants, Prover& prover, Rankings& known) {
  known.open.clear();
  known.counter_may_wrap = false;
  known.all_tried = true;
  const Regions regions = regions_of(module, function);
  for (std::size_t k = 0; k < encoding.conditions.items.size(); ++k) {
    const Item& item = encoding.conditions.items[k];
    if (item.kind != Item::Kind::step || known.shown.contains(item.index)) continue;
    const std::vector<Term> facts = facts_before(context, encoding.conditions, k, invariants);
    rank(context, regions, function, flow, encoding, k, facts, prover, known);
  }
}

}  // namespace headway::verify
