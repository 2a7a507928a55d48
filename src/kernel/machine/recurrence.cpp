#include "kernel/machine/recurrence.hpp"

#include <algorithm>
#include <utility>

namespace headway::kernel {
namespace {

constexpr std::size_t kMostStates = 4096, kMostLeaves = 20'000, kMostFacts = 64;

}  // namespace

void Recurrence::begin(std::size_t choices) {
  taken_before_ = choices;
  while (!trail_.empty() && states_[trail_.back()].progressed.choices >= choices) {
    trail_.pop_back();
  }
}

// A state that was on the last way, too, is not known for that: it is the same place.
bool Recurrence::is_known(LoopState state) {
  if (state.progressed.choices < taken_before_) return false;
  std::vector<std::uint32_t>& here = at_head_[state.head];
  constexpr std::size_t most_looks = 64;
  std::size_t looks = 0;
  for (std::size_t i = here.size(); i-- > 0 && looks < most_looks; ++looks) {
    auto renamed = covered(terms_, solver_, query_, state, states_[here[i]]);
    if (!renamed) continue;
    const auto number = static_cast<std::uint32_t>(leaves_.size());
    for (const std::uint32_t on : trail_) behind_[on].push_back(number);
    leaves_.push_back({std::move(state.path), state.progressed, false, here[i], state.instruction,
                       std::move(*renamed)});
    return true;
  }
  if (states_.size() >= kMostStates) return false;
  const auto number = static_cast<std::uint32_t>(states_.size());
  here.push_back(number);
  trail_.push_back(number);
  states_.push_back(std::move(state));
  behind_.emplace_back();
  return false;
}

void Recurrence::end(bool excluded, const std::vector<smt::Term>& path,
                     const Progressed& progressed) {
  if (trail_.empty()) return;
  overflow_ = overflow_ || leaves_.size() >= kMostLeaves;
  if (overflow_) return;
  const auto number = static_cast<std::uint32_t>(leaves_.size());
  for (const std::uint32_t on : trail_) behind_[on].push_back(number);
  leaves_.push_back({path, progressed, excluded, kNone, 0, {}});
}

// Whether a way through a state may end. An assumption that cuts ways short leaves it open whether
// the others go on for ever.
std::vector<bool> Recurrence::may_end() const {
  std::vector<bool> result(states_.size());
  bool changes = true;
  while (changes) {
    changes = false;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (result[s]) continue;
      result[s] = std::any_of(behind_[s].begin(), behind_[s].end(), [&](std::uint32_t number) {
        const Leaf& leaf = leaves_[number];
        return leaf.known == kNone || result[leaf.known] ||
               leaf.progressed.assumptions > states_[s].progressed.assumptions;
      });
      changes = changes || result[s];
    }
  }
  return result;
}

// An input that has to equal something can be that: the facts without it, and with what it may be.
void Recurrence::choose_inputs(std::uint32_t unknowns, Facts& facts) {
  for (std::size_t f = 0; f < facts.size(); ++f) {
    const smt::Node& node = terms_.node(facts[f]);
    if (node.kind != smt::Kind::equal || terms_.width(node.args[0]) == 0) continue;
    const smt::Term gap = terms_.sub(node.args[0], node.args[1]);
    const int width = terms_.width(gap);
    for (const auto& [part, factor] : terms_.sum_of(gap).parts) {
      const bool minus = factor == smt::mask_of(width) || factor == ~std::uint64_t{0};
      const auto drawn = drawn_in(terms_, part);
      if (terms_.node(part).kind != smt::Kind::variable || (factor != 1 && !minus) || !drawn ||
          drawn->front() < unknowns) {
        continue;
      }
      const smt::Term input = part;
      const smt::Term rest = terms_.sub(gap, minus ? terms_.neg(input) : input);
      const smt::Term value = minus ? rest : terms_.neg(rest);
      const smt::Range range = terms_.node(input).range;
      for (smt::Term& fact : facts) fact = terms_.substitute(fact, {{input.id, value}});
      facts.push_back(terms_.ule(terms_.constant(range.low, width), value));
      facts.push_back(terms_.ule(value, terms_.constant(range.high, width)));
      break;
    }
  }
}

std::optional<Recurrence::Facts> Recurrence::wanted(const LoopState& state, Facts facts) {
  Facts before, later;
  choose_inputs(state.progressed.unknowns, facts);
  while (!facts.empty()) {
    const smt::Term fact = facts.back();
    facts.pop_back();
    const smt::Node& node = terms_.node(fact);
    if (node.kind == smt::Kind::conjunction) {
      facts.insert(facts.end(), node.args.begin(), node.args.end());
      continue;
    }
    if (terms_.is_true(fact)) continue;
    const auto drawn = drawn_in(terms_, fact);
    if (!drawn) return {};
    const auto is_old = [&](std::uint32_t number) { return number < state.progressed.unknowns; };
    const bool all_old = std::all_of(drawn->begin(), drawn->end(), is_old);
    // What relates later inputs to earlier ones would have to be solved for the later.
    if (!all_old && std::any_of(drawn->begin(), drawn->end(), is_old)) return {};
    (all_old ? before : later).push_back(fact);
  }
  if (!later.empty() && (solver_ == nullptr || solver_->check(later, query_) != smt::Answer::sat)) {
    return {};
  }
  std::sort(before.begin(), before.end());
  before.erase(std::unique(before.begin(), before.end()), before.end());
  return before;
}

// A least fixed point from below: what is found is right, whatever is missing.
void Recurrence::find_ending() {
  ending_.assign(states_.size(), {});
  bool changes = true;
  for (int round = 0; changes && round < 32; ++round) {
    changes = false;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      const LoopState& state = states_[s];
      std::vector<Facts>& ending = ending_[s];
      // That some schedule of a kernel ends the loop is no promise that it ends.
      if (std::any_of(behind_[s].begin(), behind_[s].end(), [&](std::uint32_t number) {
            return leaves_[number].progressed.outcomes > state.progressed.outcomes;
          })) {
        continue;
      }
      for (const std::uint32_t number : behind_[s]) {
        const Leaf& leaf = leaves_[number];
        if (leaf.excluded || ending.size() >= kMostFacts) continue;
        Facts more;
        std::set_difference(leaf.path.begin(), leaf.path.end(), state.path.begin(),
                            state.path.end(), std::back_inserter(more));
        std::vector<Facts> ways{{}};
        if (leaf.known != kNone) ways = ending_[leaf.known];
        for (Facts way : ways) {
          for (smt::Term& fact : way) fact = terms_.substitute(fact, leaf.renamed);
          way.insert(way.end(), more.begin(), more.end());
          auto holds = wanted(state, std::move(way));
          if (!holds || std::find(ending.begin(), ending.end(), *holds) != ending.end()) continue;
          ending.push_back(std::move(*holds));
          changes = true;
        }
      }
    }
  }
}

bool Recurrence::all_end(const Leaf& leaf) {
  std::vector<smt::Term> facts = leaf.path;
  for (const Facts& way : ending_[leaf.known]) {
    if (way.empty()) return true;
    facts.push_back(terms_.negation(terms_.substitute(terms_.conjunction(way), leaf.renamed)));
  }
  return solver_ != nullptr && !ending_[leaf.known].empty() &&
         solver_->check(facts, query_) == smt::Answer::unsat;
}

std::optional<Recurrence::Endless> Recurrence::endless() {
  const auto comes_again = [](const Leaf& leaf) { return leaf.known != kNone; };
  const auto first = std::find_if(leaves_.begin(), leaves_.end(), comes_again);
  if (first == leaves_.end()) return {};
  if (overflow_) return Endless{first->instruction, false};
  const std::vector<bool> ends = may_end();
  for (const Leaf& leaf : leaves_) {
    if (comes_again(leaf) && !ends[leaf.known]) return Endless{leaf.instruction, true};
  }
  find_ending();
  for (const Leaf& leaf : leaves_) {
    if (comes_again(leaf) && !all_end(leaf)) return Endless{leaf.instruction, false};
  }
  return {};
}

}  // namespace headway::kernel
