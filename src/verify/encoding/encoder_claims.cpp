#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::Annotation;
using kernel::Claim;
using kernel::kNone;
using kernel::Value;

namespace {

std::string claim_text(const kernel::Instruction& i, const char* otherwise) {
  return i.name.empty() ? otherwise : i.name;
}

}  // namespace

void Encoder::claim(const Instruction& i) {
  if (i.claim == Claim::shown || (i.claim == Claim::within && !options_.bounds)) return;
  Term claims[2];
  for (int t = 0; t < 2; ++t) claims[t] = c_.nonzero(bits(i.operands[0], t));
  switch (i.claim) {
    case Claim::assertion: {
      // The first thread is any thread.
      const Term claim = over_log(c_.implies(live(0), claims[0]), log_);
      check(Property::assertion, claim, i.place,
            fmt::format("{} may fail", claim_text(i, "an assertion")));
      break;
    }
    case Claim::assumption:
      if (!about_log(claims[0])) {
        suppose(c_.conjunction(live(0), claims[0]), live(0), i.place, false);
      }
      for (int t = 0; t < 2; ++t) {
        if (t == 1 && about_log(claims[1])) continue;
        assume(over_log(c_.implies(live(t), claims[t]), log_));
      }
      result_.assumed.push_back(fmt::format("__assume at line {}", i.place.line));
      break;
    case Claim::precondition:
      precondition(i);
      break;
    case Claim::postcondition:
      result_.unchecked.emplace_back(i.place,
                                     "__ensures whose condition cannot be evaluated at the end");
      break;
    case Claim::invariant: {
      const int loop = flow_.loop[at_];
      if (loop == kNoLoop) {
        check(Property::assertion, over_log(c_.implies(live(0), claims[0]), log_), i.place,
              fmt::format("{} may fail", claim_text(i, "an invariant")));
        break;
      }
      Pending pending{i.place, claim_text(i, "an invariant"), {}, loop};
      for (int t = 0; t < 2; ++t) pending.claims[t] = c_.implies(reached_[t][at_], claims[t]);
      invariants_.push_back(pending);
      break;
    }
    case Claim::global_invariant:
    case Claim::function_invariant: {
      Pending pending{i.place, claim_text(i, "an invariant of the function"), {}, kNoLoop};
      for (int t = 0; t < 2; ++t) pending.claims[t] = claims[t];
      invariants_.push_back(pending);
      break;
    }
    case Claim::barrier_invariant:
      barrier_invariant(i);
      break;
    case Claim::shown:
      break;
    case Claim::within:
      check(Property::bounds, c_.implies(live(0), claims[0]), i.place,
            fmt::format("{} may be beyond its end", i.name));
      break;
  }
}

// What is assumed where a thread may be.
void Encoder::suppose(Term holds, Term here, const kernel::Place& place, bool of_launch) {
  const std::size_t item = result_.conditions.items.size();
  result_.suppositions.push_back({holds, here, place, of_launch, item});
}

// What a kernel requires is taken for granted; what a function requires that it calls is checked.
void Encoder::precondition(const Instruction& i) {
  const bool own = is_own_precondition(i, at_);
  const Term mine = c_.nonzero(bits(i.operands[0], 0));
  if (!own) {
    check(Property::assertion, c_.implies(live(0), mine), i.place,
          "what a function requires may not hold where it is called");
    return;
  }
  suppose(c_.conjunction(live(0), mine), live(0), i.place, c_.is_true(live(0)));
  for (int t = 0; t < 2; ++t) assume(c_.implies(live(t), c_.nonzero(bits(i.operands[0], t))));
  if (c_.is_true(live(0))) learn(mine);
  result_.assumed.push_back(fmt::format("__requires at line {}", i.place.line));
}

// What the file or the command line says of arguments and sizes.
void Encoder::assume_stated() {
  // What is no size is told, whether anybody looks at it or not.
  for (const auto& [name, buffer] : options_.stated.buffers) {
    if (buffer.count) number_stated(*buffer.count);
  }
  for (const kernel::Assumption& one : options_.stated.assumptions) {
    const Term holds = kernel::condition_on(named(), one, c_);
    if (c_.is_false(holds)) {
      throw Error(one.where, "what is assumed holds for none of the arguments", one.text);
    }
    suppose(holds, c_.truth(true), {-1, one.where.line, 0}, true);
    assume(holds);
    learn(holds);
    const std::string place =
        one.where.line > 0 ? fmt::format(" at line {}", one.where.line) : std::string();
    result_.assumed.push_back(one.text + place);
  }
}

// What a fact says of an argument or a size alone: its value, or ends of its range.
void Encoder::learn(Term fact) {
  using smt::Kind;
  const smt::Node& n = c_.node(fact);
  if (n.kind == Kind::conjunction) {
    for (const Term part : n.args) learn(part);
    return;
  }
  const auto is_argument = [this](const smt::Node& v) {
    return v.kind == Kind::variable && c_.name(v).starts_with("arg.");
  };
  const auto name_of = [&](Term t) -> std::string {
    const smt::Node& v = c_.node(t);
    if (v.kind == Kind::zext) return {};
    const bool is_size = std::find(size_, size_ + 3, t) != size_ + 3 ||
                         std::find(groups_, groups_ + 3, t) != groups_ + 3;
    if (v.kind != Kind::variable || v.width == 0 || !(is_argument(v) || is_size)) return {};
    return c_.name(v);
  };
  const std::function<void(Term, std::uint64_t, std::uint64_t)> narrow = [&](Term t,
                                                                             std::uint64_t low,
                                                                             std::uint64_t high) {
    const smt::Node& of = c_.node(t);
    if (of.kind == Kind::zext) {
      narrow(of.args[0], low, std::min(high, smt::mask_of(c_.width(of.args[0]))));
      return;
    }
    if (of.kind == Kind::product) {
      // Factors are no larger than a product that does not wrap around, if none of them is 0.
      const smt::Range x = c_.node(of.args[0]).range, y = c_.node(of.args[1]).range;
      const bool exact = static_cast<unsigned __int128>(x.high) * y.high <= smt::mask_of(of.width);
      if (!exact) return;
      if (x.low > 0) narrow(of.args[1], 0, high / x.low);
      if (y.low > 0) narrow(of.args[0], 0, high / y.low);
      return;
    }
    const std::string name = name_of(t);
    if (name.empty()) return;
    const smt::Range known = c_.node(t).range;
    const auto [at, added] = result_.learned.range.try_emplace(name, known.low, known.high);
    at->second.first = std::max(at->second.first, low);
    at->second.second = std::min(at->second.second, high);
  };
  if (n.width == 0 && is_argument(n)) {
    result_.learned.equal[c_.name(n)] = 1;
    return;
  }
  if (n.kind == Kind::equal && c_.width(n.args[0]) > 0) {
    for (int k = 0; k < 2; ++k) {
      const std::string name = name_of(n.args[static_cast<std::size_t>(k)]);
      const Term other = n.args[static_cast<std::size_t>(1 - k)];
      if (!name.empty() && c_.is_constant(other)) result_.learned.equal[name] = c_.value(other);
    }
    return;
  }
  const bool negative = n.kind == Kind::negation;
  const smt::Node& order = negative ? c_.node(n.args[0]) : n;
  if (negative && order.width == 0 && is_argument(order)) {
    result_.learned.equal[c_.name(order)] = 0;
    return;
  }
  if (order.kind == Kind::equal && negative) {  // not 0
    for (int k = 0; k < 2; ++k) {
      const Term v = order.args[static_cast<std::size_t>(k)];
      if (c_.is_constant(order.args[static_cast<std::size_t>(1 - k)], 0)) {
        narrow(v, 1, smt::mask_of(c_.width(v)));
      }
    }
    return;
  }
  if (order.kind != Kind::ult && order.kind != Kind::slt) return;
  const Term l = order.args[0], r = order.args[1];
  const int w = c_.width(l);
  const std::uint64_t top = smt::mask_of(w), half = top >> 1;
  if (order.kind == Kind::ult) {
    if (c_.is_constant(r) && !negative && c_.value(r) > 0) narrow(l, 0, c_.value(r) - 1);
    if (c_.is_constant(r) && negative) narrow(l, c_.value(r), top);
    if (c_.is_constant(l) && !negative) narrow(r, c_.value(l) + 1, top);
    if (c_.is_constant(l) && negative) narrow(r, 0, c_.value(l));
    return;
  }
  if (c_.is_constant(l) && !negative && c_.value(l) < half) narrow(r, c_.value(l) + 1, half);
  if (c_.is_constant(r) && negative && c_.value(r) <= half) narrow(l, c_.value(r), half);
  if (c_.is_constant(l) && !negative && c_.value(l) == top) narrow(r, 0, half);
}

// ---- Annotations

Quantity Encoder::annotation(const Instruction& i, int thread) {
  const int w = width(i.result);
  const auto marker = [&]() -> const Marker& {
    const std::set<int>& to = regions_.of_value[i.operands.at(0)];
    if (to.size() != 1) throw Unsupported{"an annotation about several buffers", i.place};
    const Annotation a = i.annotation;
    const AccessKind kind = a == Annotation::read || a == Annotation::read_offset ? AccessKind::read
                            : a == Annotation::write || a == Annotation::write_offset
                                ? AccessKind::write
                                : AccessKind::atomic;
    const int region = *to.begin();
    for (const Marker& m : markers_) {
      if (m.region == region && m.kind == kind) return m;
    }
    const std::string name = fmt::format("some.{}.{}", region, static_cast<int>(kind));
    markers_.push_back(
        {region, kind, c_.variable(name + ".occurred", 0), c_.variable(name + ".offset", 64)});
    return markers_.back();
  };
  switch (i.annotation) {
    case Annotation::other:
      return operand(i.operands[0], 1 - thread);
    case Annotation::enabled:
      return number(c_.bits_of(live(thread), w));
    case Annotation::same_group:
      return number(c_.bits_of(same_group_, w));
    case Annotation::read:
    case Annotation::write:
    case Annotation::atomic:
      return number(c_.bits_of(marker().occurred, w));
    case Annotation::read_offset:
    case Annotation::write_offset:
    case Annotation::atomic_offset:
      return number(c_.resize(marker().offset, w));
    case Annotation::pointer_offset: {
      const std::vector<Target> to = targets(i.operands[0], thread);
      if (to.size() != 1) throw Unsupported{"an annotation about several buffers", i.place};
      return number(c_.resize(to[0].offset, w));
    }
    case Annotation::pointer_base: {
      const std::vector<Target> to = targets(i.operands[0], thread);
      if (to.size() != 1) throw Unsupported{"an annotation about several buffers", i.place};
      return number(c_.constant(static_cast<std::uint64_t>(to[0].region), w));
    }
    case Annotation::old:
      if (f_.value(i.operands[0]).kind != Value::Kind::instruction) {
        return operand(i.operands[0], thread);
      }
      // Only postconditions speak of it, which stand at the start.
      return number(fresh("old", i.result));
    case Annotation::returned:
      break;
  }
  return number(fresh("returned", i.result));
}

bool Encoder::about_log(Term term) const {
  const std::vector<Term> leaves = c_.leaves(term);
  return std::any_of(markers_.begin(), markers_.end(), [&](const Marker& m) {
    return std::find(leaves.begin(), leaves.end(), m.occurred) != leaves.end() ||
           std::find(leaves.begin(), leaves.end(), m.offset) != leaves.end();
  });
}

bool Encoder::about_second(Term term) const {
  std::set<Term> second;
  for (std::size_t d = 0; d < 3; ++d) {
    second.insert(tid_[1][d]);
    second.insert(gid_[1][d]);
  }
  for (const LoopState& loop : result_.loops) {
    second.insert(loop.active_own[1]);
    for (const Carried& one : loop.carried) {
      if (one.own[1] != one.own[0]) second.insert(one.own[1]);
    }
  }
  const std::vector<Term> leaves = c_.leaves(term);
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](Term t) { return second.contains(t) && !c_.is_constant(t); });
}

Term Encoder::over_log(Term term, const std::vector<Access>& log) {
  if (markers_.empty()) return term;
  std::vector<Term> all{term};
  const std::vector<Term> leaves = c_.leaves(term);
  for (const Marker& m : markers_) {
    if (std::find(leaves.begin(), leaves.end(), m.occurred) == leaves.end() &&
        std::find(leaves.begin(), leaves.end(), m.offset) == leaves.end()) {
      continue;
    }
    std::vector<Term> next;
    for (const Term t : all) {
      next.push_back(c_.substitute(t, {{m.occurred.id, c_.truth(false)}}));
      for (const Access& a : log) {
        if (a.region != m.region || a.kind != m.kind) continue;
        next.push_back(c_.substitute(t, {{m.occurred.id, a.when}, {m.offset.id, a.offset}}));
      }
    }
    if (next.size() > 4000) throw Unsupported{"an annotation about many accesses", {}};
    all = std::move(next);
  }
  return c_.conjunction(all);
}

// An invariant that the author wrote: like a candidate, but it has to hold.
void Encoder::invariant(const kernel::Place& place, const std::string& text, const Term claims[2],
                        int loop) {
  const LoopState& state = result_.loops[static_cast<std::size_t>(loop)];
  Candidate candidate;
  candidate.rule = "user";
  candidate.user = true;
  candidate.text = text;
  candidate.loop = loop;
  candidate.place = place;
  // What is said of one thread stays true when it has left; what is said of both, or of the log,
  // is known for those that are still in the loop.
  const bool alone = !about_log(claims[0]) && !about_second(claims[0]);
  std::vector<Term> head;
  for (int t = 0; t < 2; ++t) {
    if (t == 1 && about_log(claims[t])) continue;
    head.push_back(c_.implies(alone ? state.present[t] : state.active[t],
                              over_log(claims[t], state.log_head)));
  }
  candidate.head = c_.conjunction(head);
  // What it reads in the loop is not known at the head: then it is checked, and not assumed.
  for (const Term leaf : c_.leaves(candidate.head)) {
    if (c_.node(leaf).kind == smt::Kind::variable && leaf.id >= state.last_variable) {
      candidate.head = c_.truth(true);
      break;
    }
  }
  candidate.base = c_.implies(state.present[0],
                              over_log(c_.substitute(claims[0], state.at_entry), state.log_base));
  candidate.step = c_.implies(c_.conjunction(state.active[0], state.back[0]),
                              over_log(c_.substitute(claims[0], state.at_step), state.log_step));
  result_.conditions.candidates.push_back(std::move(candidate));
}

void Encoder::finish_invariants() {
  for (const Pending& p : invariants_) {
    if (p.loop != kNoLoop) {
      invariant(p.place, p.text, p.claims, p.loop);
      continue;
    }
    for (const Loop& loop : flow_.loops) {
      invariant(p.place, p.text, p.claims, static_cast<int>(&loop - flow_.loops.data()));
    }
  }
}

}  // namespace headway::verify
