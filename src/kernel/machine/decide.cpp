// Branches and addresses that depend on unknown data.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "kernel/machine/runner.hpp"

namespace headway::kernel {

// Values that nobody has set, or that no rule of the language gives, have names of their own, which
// begin with a question mark.
namespace {

constexpr std::string_view kUnsetValue = "?value ", kShift = "?shift ", kBitField = "?bits ",
                           kConversion = "?conversion ";

// What a name of such a value stands for.
std::string unset_text(std::string_view name) {
  if (name.starts_with(kShift)) return "a shift by as many bits as there are, or more";
  if (name.starts_with(kBitField)) {
    return "bits that are taken or set beyond the width of a number (bitfieldExtract, "
           "bitfieldInsert: the offset and the number of bits together)";
  }
  if (name.starts_with(kConversion)) return "a conversion of a number that the type does not have";
  if (!name.starts_with(kUnsetValue)) return "memory that was never written";
  name.remove_prefix(kUnsetValue.size());
  name = name.substr(0, name.find(' '));
  return name.empty() ? "a value that is undefined"
                      : fmt::format("'{}', which was never set", name);
}

}  // namespace

// Of a register that no instruction sets.
Cell Machine::Runner::unset(ValueId id, int thread) {
  const Value& value = function_.values[id];
  if (value.type.is_pointer()) return Cell::undefined();
  return Cell::of(terms_.variable(fmt::format("{}{} {} {}", kUnsetValue, value.name, id, thread),
                                  value.type.bits));
}

// Of an operation at hand that has no defined result.
Cell Machine::Runner::unset(std::string_view why, int bits) {
  return Cell::of(terms_.variable(fmt::format("{}{} {} {}", why, bits, number_, thread_), bits));
}

// By as many bits as there are, or more.
Cell Machine::Runner::unset_shift(int bits) {
  return unset(code_.instruction(number_).kind == kOfBitField ? kBitField : kShift, bits);
}

// When a term is one thing or another with the same data, by what nobody has set; nothing where it
// never is. It may name that and not hang on it: `c ? x : y` where c holds.
std::optional<smt::Term> Machine::Runner::hangs_on_unset(smt::Term term) {
  smt::Substitution others;
  for (const smt::Term leaf : terms_.leaves(term)) {
    const smt::Node& node = terms_.node(leaf);
    if (node.kind != smt::Kind::variable || !terms_.name(node).starts_with("?")) continue;
    others[leaf.id] =
        terms_.variable(terms_.name(node) + "'", node.width, node.range.low, node.range.high);
  }
  if (others.empty()) return {};
  const smt::Term differs = terms_.differ(term, terms_.substitute(term, others));
  return feasible(differs) == smt::Answer::unsat ? std::nullopt : std::optional(differs);
}

// Where the term hangs on a lane that took no part in a shuffle, which is an error of that one.
void Machine::Runner::fail_at_absent_lane(smt::Term term) {
  for (const smt::Term leaf : terms_.leaves(term)) {
    const smt::Node& node = terms_.node(leaf);
    if (node.kind != smt::Kind::variable || !terms_.name(node).starts_with(kAbsentLane)) continue;
    const auto differs = hangs_on_unset(term);
    if (!differs) return;
    std::istringstream words(terms_.name(node).substr(kAbsentLane.size()));
    int lane = 0;
    words >> number_ >> lane;
    state_->fault = Fault{FaultKind::divergence,
                          thread_,
                          number_,
                          -1,
                          0,
                          fmt::format("the value of lane {} is used, which takes no part in this "
                                      "shuffle",
                                      lane),
                          is_doubtful(*differs),
                          lane};
    throw Stopped();
  }
}

// `what` is what hangs on the term. What hangs on a lane that took no part in a shuffle is an error
// of that one.
void Machine::Runner::require_value(smt::Term term, std::string_view what) {
  const auto differs = hangs_on_unset(term);
  if (!differs) return;
  std::string on;
  bool of_tile = false, of_shift = false;
  fail_at_absent_lane(term);
  for (const smt::Term leaf : terms_.leaves(term)) {
    const smt::Node& node = terms_.node(leaf);
    if (node.kind != smt::Kind::variable) continue;
    const std::string& name = terms_.name(node);
    if (!name.starts_with("?") || !on.empty()) continue;
    on = unset_text(name);
    of_tile = unwritten_space(leaf) == Space::workgroup;
    of_shift = name.starts_with(kShift);
  }
  state_->fault = Fault{FaultKind::uninitialized,
                        thread_,
                        number_,
                        -1,
                        0,
                        fmt::format("{} depends on {}", what, on),
                        is_doubtful(*differs),
                        -1,
                        of_tile,
                        of_shift};
  throw Stopped();
}

// Of a variable for a byte that nobody wrote: where that is.
std::optional<Space> Machine::Runner::unwritten_space(smt::Term leaf) const {
  const auto of = unwritten_.find(leaf.id);
  if (of == unwritten_.end()) return {};
  return launch_.objects[of->second].space;
}

// Whether the term names memory of a workgroup or a thread that nobody wrote, or a variable that
// was never set. What nobody wrote to memory that the launch was given is the affair of who gave
// it, and so is how far one may shift.
bool Machine::Runner::comes_from_nothing(smt::Term term) {
  for (const smt::Term leaf : terms_.leaves(term)) {
    const smt::Node& node = terms_.node(leaf);
    if (node.kind != smt::Kind::variable) continue;
    const std::string_view name = terms_.name(node);
    if (!name.starts_with("?")) continue;
    if (name.starts_with(kUnsetValue)) return true;
    const std::optional<Space> space = unwritten_space(leaf);
    if (space == Space::workgroup || space == Space::local) return true;
  }
  return false;
}

// What is written to memory that outlives the launch.
void Machine::Runner::require_result(Instance object, const Cell& cell) {
  const ObjectInfo& info = launch_.objects[object];
  if (info.thread >= 0 || info.space == Space::workgroup) return;
  require_shown(cell, fmt::format("what is written to '{}'", info.name));
}

void Machine::Runner::require_shown(const Cell& cell, std::string_view what) {
  if (!machine_.options_.results) return;
  if (cell.kind == Cell::Kind::undefined) {
    fail(FaultKind::uninitialized, fmt::format("{} depends on a value that was never set", what));
  }
  if (cell.kind == Cell::Kind::term && comes_from_nothing(cell.term())) {
    require_value(cell.term(), what);
  }
}

// What is written where others may see it hangs on no lane that took no part in a shuffle.
void Machine::Runner::require_lanes(const Cell& written, Instance object) {
  if (written.kind != Cell::Kind::term || !is_shared(object)) return;
  fail_at_absent_lane(written.term());
}

// A value that the environment makes up, up to `high`. What one way calls its third unknown is
// another one's third unknown, too: the name tells those of other widths apart.
Cell Machine::Runner::drawn(std::string_view what, int bits, std::uint64_t high) {
  return Cell::of(
      terms_.variable(fmt::format("{}.{}.{}", what, bits, state_->unknowns++), bits, 0, high));
}

// Whether the condition can hold here, on the way that has been taken. Ways that begin in the same
// manner are taken anew, and ask the same.
smt::Answer Machine::Runner::feasible(smt::Term condition) {
  constexpr std::size_t most = 20'000;
  std::vector<std::uint64_t> question;
  for (const smt::Term fact : state_->path) question.push_back(fact.id);
  question.push_back(guard_.id);
  question.push_back(condition.id);
  const auto known = machine_.answers_.find(question);
  const bool stops = machine_.options_.stop.seen() != Limit::none;  // solved() says so
  if (known != machine_.answers_.end() && !stops) return known->second;
  const smt::Answer answer = solved(condition);
  if (answer == smt::Answer::unknown) return answer;
  if (machine_.answers_.size() >= most) machine_.answers_.clear();
  machine_.answers_.emplace(std::move(question), answer);
  return answer;
}

// The same, asked now: there is a model then.
smt::Answer Machine::Runner::solved(smt::Term condition) {
  std::vector<smt::Term> facts = state_->path;
  if (!terms_.is_true(guard_)) facts.push_back(guard_);
  if (!terms_.is_true(condition)) facts.push_back(condition);
  for (const smt::Term fact : facts) {
    if (terms_.is_false(fact)) return smt::Answer::unsat;
  }
  std::erase_if(facts, [&](smt::Term fact) { return terms_.is_true(fact); });
  if (facts.empty()) return smt::Answer::sat;
  if (terms_.is_false(terms_.conjunction(facts))) return smt::Answer::unsat;
  if (machine_.solver_ == nullptr) {
    machine_.approximated_ = true;
    return smt::Answer::unknown;
  }
  if (machine_.options_.stop.seen() != Limit::none) {
    fail(FaultKind::limit, "stopped within a step");
  }
  const smt::Answer answer = machine_.solver_->check(facts, machine_.options_.query);
  if (answer == smt::Answer::unknown) machine_.approximated_ = true;
  return answer;
}

// What a term is in the solver's last answer; nothing where that says too little.
std::optional<std::uint64_t> Machine::Runner::in_model(smt::Term term) {
  const smt::Model& model = machine_.solver_->model();
  for (const smt::Term leaf : terms_.leaves(term)) {
    if (!model.values().contains(leaf.id)) return {};
  }
  return model.value(terms_, term);
}

void Machine::Runner::assume(smt::Term condition) {
  if (terms_.is_true(condition)) return;
  std::vector<smt::Term>& path = state_->path;
  const auto place = std::lower_bound(path.begin(), path.end(), condition);
  if (place == path.end() || *place != condition) path.insert(place, condition);
}

// The truth of a condition: the environment's choice where both are possible.
bool Machine::Runner::decide(smt::Term condition) {
  if (terms_.is_true(condition)) return true;
  if (terms_.is_false(condition)) return false;
  if (together_ > 0) {
    // Only what is not open can be decided here, and not for ever, round after round of a loop.
    constexpr int most_decisions = 256;
    if (++decisions_ > most_decisions) throw Apart();
    if (feasible(terms_.negation(condition)) == smt::Answer::unsat) return true;
    if (feasible(condition) == smt::Answer::unsat) return false;
    throw Apart();
  }
  if (script_at_ == script_->choices.size()) {
    const bool can_hold = feasible(condition) != smt::Answer::unsat;
    const bool can_fail = !can_hold || feasible(terms_.negation(condition)) != smt::Answer::unsat;
    // Of one alternative the number says which.
    script_->choices.push_back({can_hold ? 0U : 1U, can_fail ? 2U : 1U});
  }
  const bool holds = script_->choices[script_at_++].taken == 0;
  assume(holds ? condition : terms_.negation(condition));
  return holds;
}

void Machine::Runner::fail_where(smt::Term wrong, FaultKind kind, const std::string& detail) {
  if (feasible(wrong) == smt::Answer::unsat) return;
  if (decide(wrong)) fail(kind, detail);
}

// A number for what depends on unknown data: one of few, by choice.
std::uint64_t Machine::Runner::concrete(const Cell& cell, int bits, std::string_view what) {
  if (cell.is_bits()) return cell.bits;
  if (cell.kind != Cell::Kind::term) {
    fail(FaultKind::uninitialized, fmt::format("{} depends on a value that was never set", what));
  }
  const smt::Term term = cell.term();
  require_value(term, what);
  constexpr int most_values = 64;
  for (int i = 0; i < most_values; ++i) {
    // In rising order, so that choices mean the same whenever they are made.
    std::uint64_t low = 0;
    std::uint64_t high = smt::mask_of(bits);
    const smt::Node& node = terms_.node(term);
    low = node.range.low;
    high = std::min(high, node.range.high);
    if (high - low <= 64) {
      for (std::uint64_t value = low; value < high; ++value) {
        if (decide(terms_.equal(term, terms_.constant(value, bits)))) return value;
      }
      assume(terms_.equal(term, terms_.constant(high, bits)));
      return high;
    }
    // Halves, as long as one of them is impossible; then a few values by a model's word.
    if (machine_.solver_ == nullptr || solved(terms_.truth(true)) != smt::Answer::sat) break;
    // What the solver has found is often the least one.
    high = in_model(term).value_or(high);
    bool first = true;
    while (low < high) {
      const std::uint64_t middle = first ? high - 1 : low + (high - low) / 2;
      first = false;
      const smt::Answer below = solved(terms_.ule(term, terms_.constant(middle, bits)));
      if (below == smt::Answer::unknown) {
        fail(FaultKind::limit, fmt::format("{} that depends on unknown data", what));
      }
      if (below == smt::Answer::sat) {
        high = std::min(middle, in_model(term).value_or(middle));
      } else {
        low = middle + 1;
      }
    }
    if (decide(terms_.equal(term, terms_.constant(low, bits)))) return low;
  }
  fail(FaultKind::limit,
       fmt::format("{} that depends on unknown data and may have many values", what));
}

}  // namespace headway::kernel
