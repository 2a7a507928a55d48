// Whether one state of a host program is another one with other unknown values.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "kernel/machine/recurrence.hpp"

namespace headway::kernel {
namespace {

// When a variable was drawn; nothing for one that stands for what memory holds that was never
// written: that is part of every state in which nobody has written there yet, and keeps its name.
std::optional<std::uint32_t> drawn_at(const smt::Context& terms, smt::Term t) {
  const smt::Node& node = terms.node(t);
  if (node.kind != smt::Kind::variable) return {};
  const std::string& name = terms.name(node);
  if (name.find_first_of("?[") != std::string::npos) return {};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  if (std::from_chars(name.data() + dot + 1, end, number).ptr != end) return {};
  return number;
}

bool is_like(const ObjectInfo& a, const ObjectInfo& b) {
  return a.name == b.name && a.space == b.space && a.bytes == b.bytes && a.fill == b.fill &&
         a.freed == b.freed && a.read_only == b.read_only &&
         a.shared_with_device == b.shared_with_device;
}

class Matcher {
 public:
  Matcher(smt::Context& terms, const LoopState& state, const LoopState& known)
      : terms_(terms), state_(state), known_(known) {}

  // Pairs up what both hold; false where they cannot be the same.
  bool pair_up();
  const smt::Substitution& renamed() const { return renamed_; }
  // What remains to be shown, given the path of the state.
  std::vector<smt::Term> goals();

 private:
  bool pair(const Cell& now, const Cell& then, int bits);
  bool pair_pages(const Page* now, const Page* then);
  bool bind(smt::Term variable, smt::Term to);
  bool unify(smt::Term now, smt::Term then);
  void solve(smt::Term now, smt::Term then);

  smt::Context& terms_;
  const LoopState& state_;
  const LoopState& known_;
  smt::Substitution renamed_;
  std::vector<std::pair<smt::Term, smt::Term>> equations_;  // now and then
  int looks_ = 0;
};

bool Matcher::bind(smt::Term variable, smt::Term to) {
  if (terms_.width(variable) != terms_.width(to)) return false;
  const auto [known, is_new] = renamed_.try_emplace(variable.id, to);
  return is_new || known->second == to;
}

bool Matcher::pair(const Cell& now, const Cell& then, int bits) {
  using Kind = Cell::Kind;
  const auto is_value = [](const Cell& cell) {
    return cell.kind == Kind::bits || cell.kind == Kind::term;
  };
  if (is_value(now) && then.kind == Kind::term) {
    const int width = terms_.width(then.term());
    if (width > bits || (now.is_bits() && now.bits > smt::mask_of(width))) return false;
    const smt::Term value = now.is_bits() ? terms_.constant(now.bits, width) : now.term();
    if (drawn_at(terms_, then.term())) return bind(then.term(), value);
    if (terms_.width(value) != width) return false;
    equations_.emplace_back(value, then.term());
    return true;
  }
  if (now.kind == Kind::moving && then.kind == Kind::moving && now.object == then.object) {
    equations_.emplace_back(now.term(), then.term());
    return true;
  }
  return now == then;
}

bool Matcher::pair_pages(const Page* now, const Page* then) {
  const std::size_t size = now != nullptr ? now->entries.size() : 0;
  if (size != (then != nullptr ? then->entries.size() : 0)) return false;
  for (std::size_t e = 0; e < size; ++e) {
    const Page::Entry& a = now->entries[e];
    const Page::Entry& b = then->entries[e];
    if (a.at != b.at || a.bytes != b.bytes || !pair(a.cell, b.cell, a.bytes * 8)) return false;
  }
  return true;
}

bool Matcher::pair_up() {
  if (state_.things != known_.things || state_.objects.size() != known_.objects.size() ||
      state_.memory.objects() != known_.memory.objects()) {
    return false;
  }
  for (std::size_t o = 0; o < state_.objects.size(); ++o) {
    if (!is_like(state_.objects[o], known_.objects[o])) return false;
  }
  for (std::size_t r = 0; r < state_.registers.size(); ++r) {
    if (!pair(state_.registers[r], known_.registers[r], 64)) return false;
  }
  for (Instance object = 0; object < state_.memory.objects(); ++object) {
    const auto& now = state_.memory.pages(object);
    const auto& then = known_.memory.pages(object);
    if (now.size() != then.size()) return false;
    for (std::size_t p = 0; p < now.size(); ++p) {
      if (!pair_pages(now[p].get(), then[p].get())) return false;
    }
  }
  // Terms of one shape say what stands for what; sums, what is missing.
  for (const auto& [now, then] : equations_) {
    smt::Substitution before = renamed_;
    if (!unify(now, then)) {
      renamed_ = std::move(before);
      solve(now, then);
    }
  }
  return true;
}

bool Matcher::unify(smt::Term now, smt::Term then) {
  constexpr int most_looks = 10'000;  // terms share parts
  if (++looks_ > most_looks) return false;
  if (drawn_at(terms_, then)) return bind(then, now);
  const smt::Node& a = terms_.node(now);
  const smt::Node& b = terms_.node(then);
  if (a.kind != b.kind || a.width != b.width || a.value != b.value || a.name != b.name ||
      a.args.size() != b.args.size() || a.factors != b.factors) {
    return false;
  }
  for (std::size_t i = 0; i < a.args.size(); ++i) {
    if (!unify(a.args[i], b.args[i])) return false;
  }
  return true;
}

// A sum with one unknown that nothing stands for yet gives it: of a total that grows by unknown
// amounts, what was there before.
void Matcher::solve(smt::Term now, smt::Term then) {
  const int width = terms_.width(then);
  const smt::Context::Sum sum = terms_.sum_of(then);
  for (const auto& [part, factor] : sum.parts) {
    const bool minus = factor == smt::mask_of(width) || factor == ~std::uint64_t{0};
    if (!drawn_at(terms_, part) || renamed_.contains(part.id) || (factor != 1 && !minus)) continue;
    const smt::Term rest = terms_.sub(then, minus ? terms_.neg(part) : part);
    const smt::Term gap = terms_.sub(now, terms_.substitute(rest, renamed_));
    renamed_.emplace(part.id, minus ? terms_.neg(gap) : gap);
    return;
  }
}

std::vector<smt::Term> Matcher::goals() {
  std::vector<smt::Term> result;
  for (const auto& [now, then] : equations_) {
    result.push_back(terms_.equal(now, terms_.substitute(then, renamed_)));
  }
  for (const smt::Term fact : known_.path) result.push_back(terms_.substitute(fact, renamed_));
  for (const auto& [id, to] : renamed_) {
    const smt::Term variable{id};
    const int width = terms_.width(variable);
    const smt::Range range = terms_.node(variable).range;
    if (width == 0) continue;
    result.push_back(terms_.ule(terms_.constant(range.low, width), to));
    result.push_back(terms_.ule(to, terms_.constant(range.high, width)));
  }
  std::erase_if(result, [&](smt::Term goal) {
    return terms_.is_true(goal) || std::binary_search(state_.path.begin(), state_.path.end(), goal);
  });
  return result;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> drawn_in(const smt::Context& terms, smt::Term t) {
  std::vector<std::uint32_t> result;
  std::vector<smt::Term> stack{t};
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const smt::Term at = stack.back();
    stack.pop_back();
    if (!seen.insert(at.id).second) continue;
    const smt::Node& node = terms.node(at);
    if (node.kind == smt::Kind::apply) return {};
    if (node.kind == smt::Kind::variable) {
      const auto number = drawn_at(terms, at);
      if (!number) return {};
      result.push_back(*number);
    }
    stack.insert(stack.end(), node.args.begin(), node.args.end());
  }
  return result;
}

std::optional<smt::Substitution> covered(smt::Context& terms, smt::Solver* solver,
                                         std::chrono::milliseconds query, const LoopState& state,
                                         const LoopState& known) {
  Matcher matcher(terms, state, known);
  if (!matcher.pair_up()) return {};
  const std::vector<smt::Term> goals = matcher.goals();
  if (!goals.empty()) {
    if (solver == nullptr) return {};
    std::vector<smt::Term> facts = state.path;
    facts.push_back(terms.negation(terms.conjunction(goals)));
    if (terms.is_false(facts.back())) return matcher.renamed();
    if (solver->check(facts, query) != smt::Answer::unsat) return {};
  }
  return matcher.renamed();
}

}  // namespace headway::kernel
