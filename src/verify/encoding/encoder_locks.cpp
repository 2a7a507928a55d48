// What threads do while they hold a lock. Each thread carries, for every instruction that may take
// one, whether the lock that it took last is still held, and where that lock is: no more than what
// is so, as it forgets a lock when it takes another one there.
//
// Of one place, at any time, at most one thread of all holds the lock, and while one does, the word
// is not 0. Both are so at first, when nobody holds it, whatever the word is. Who takes it finds 0,
// so nobody held it; who writes something else over a word that is not 0 changes nothing; and who
// writes 0 has to hold the lock, which is checked of the first thread, and so of any. (Plain stores
// come before all of these: such a store and an atomic access are a race, which locks do not
// excuse, unless a barrier stands between.)
//
// Of a ticket lock, who has read the number that it drew holds it until it writes. No two threads
// draw one number; only who holds it writes, which is checked, and writes the next one. So while a
// thread holds it its number is there, and nobody else's. There are fewer numbers drawn than there
// are, so none comes up again.
//
// Where nobody gives a lock back, which is checked, one thread at most ever holds it. Otherwise the
// times in which two threads hold one lock come one after the other. The first one's ends,
// and with a release behind all that was done: that is checked, too. The next one to take the lock
// finds what was written there. It acquires, before it releases, by the same check; so does
// the one behind it, up to the second one of the two threads, of which an access counts as one
// under the lock where an acquire has come before. So two accesses under one lock are ordered.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::kNone;

void Encoder::find_locks() {
  // What these say of memory that others write rests on barriers alone, or on the schedule: under a
  // lock others write between two barriers, and nothing races.
  if (options_.left_out.contains("lock") || options_.equal_reads || options_.lockstep ||
      !viewed_.empty()) {
    return;
  }
  const auto& grid = options_.launch.grid;
  const bool one_group =
      std::all_of(grid.begin(), grid.end(), [](const auto& g) { return g == 1U; });
  locks_ = locks_of(f_, flow_, regions_, one_group, tickets_);
  for (Lock& lock : locks_) {
    // What its accesses order is memory of its own kind.
    const bool of_group = regions_.all[static_cast<std::size_t>(lock.region)].of_group();
    if (module_.atomics_by_space) lock.memory &= of_group ? 1 : 2;
  }
  for (const Lock& lock : locks_) {
    for (const BlockId b : flow_.order) {
      for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
        const Instruction& i = f_.blocks[b].code[k];
        if (lock_of(i) != &lock || !may_take(f_, lock, i)) continue;
        Hold hold{&lock, first_site_[b][k], {}, {}, {}, {}};
        for (int t = 0; t < 2; ++t) {
          hold.held[t] = hold.acquired[t] = hold.published[t] = c_.truth(false);
          hold.place[t] = c_.constant(0, 64);
        }
        holds_.push_back(hold);
      }
    }
  }
  constexpr std::size_t most = 12;
  if (holds_.size() > most) {
    locks_.clear();
    holds_.clear();
  }
}

bool Encoder::is_lock(int region) const {
  return std::any_of(locks_.begin(), locks_.end(),
                     [region](const Lock& lock) { return lock.region == region; });
}

// That an atomic access may take or give back.
const Lock* Encoder::lock_of(const Instruction& i) const {
  if (!touch_of(i).atomic) return nullptr;
  const int region = *regions_.of_value[i.operands[0]].begin();
  for (const Lock& lock : locks_) {
    if (lock.region == region && (lock.is_turn() || !only_reads(f_, i))) return &lock;
  }
  return nullptr;
}

// What a thread holds where it accesses a region. That stores to the words of locks, and to numbers
// that are drawn, come before all other writes has to be by barriers.
std::vector<Held> Encoder::held_at(int region, int thread) const {
  if (holds_.empty() || is_lock(region) || begun_.contains(region)) return {};
  const bool of_group = regions_.all[static_cast<std::size_t>(region)].of_group();
  const int kind = region == kUnknownRegion ? 3 : of_group ? 1 : 2;
  std::vector<Held> result;
  for (const Hold& hold : holds_) {
    const bool orders = (hold.lock->memory & kind) == kind;
    // Of a lock that is taken once there is nothing to see.
    const Term seen = c_.disjunction(c_.truth(hold.lock->once),
                                     c_.conjunction(c_.truth(orders), hold.acquired[thread]));
    result.push_back({c_.conjunction(hold.held[thread], seen), hold.place[thread]});
  }
  return result;
}

// Whether both were made under one lock.
Term Encoder::excluded(const Access& first, const Access& second) const {
  std::vector<Term> ways;
  for (std::size_t a = 0; a < first.locks.size(); ++a) {
    for (std::size_t b = 0; b < second.locks.size(); ++b) {
      if (holds_[a].lock != holds_[b].lock) continue;
      const Held &one = first.locks[a], &other = second.locks[b];
      Term both = c_.conjunction(one.held, other.held);
      if (!holds_[a].lock->is_turn()) {
        both = c_.conjunction(both, c_.equal(one.place, other.place));
      }
      const int region = holds_[a].lock->region;
      if (regions_.all[static_cast<std::size_t>(region)].of_group()) {
        both = c_.conjunction(both, same_group_);
      }
      ways.push_back(both);
    }
  }
  return c_.disjunction(ways);
}

void Encoder::see_access(int thread, Term when) {
  for (Hold& hold : holds_) {
    hold.published[thread] = c_.conjunction(hold.published[thread], c_.negation(when));
  }
}

void Encoder::fence(const Instruction& i) {
  for (Hold& hold : holds_) {
    if (i.scope < hold.lock->scope) continue;
    for (int t = 0; t < 2; ++t) {
      const Term here = reached_[t][at_];
      if (acquires(i.order)) hold.acquired[t] = c_.disjunction(hold.acquired[t], here);
      if (!releases(i.order)) continue;
      hold.published[t] = c_.disjunction(hold.published[t], c_.conjunction(here, hold.acquired[t]));
    }
  }
}

void Encoder::lock_accessed(const Instruction& i) {
  const Lock* lock = lock_of(i);
  if (lock == nullptr) return;
  if (lock->is_turn()) {
    turn(i, *lock);
  } else {
    spin(i, *lock);
  }
}

void Encoder::take(const Instruction& i, int thread, Term taken, Term place) {
  for (Hold& hold : holds_) {
    if (hold.site != site_) continue;
    hold.held[thread] = c_.disjunction(hold.held[thread], taken);
    hold.place[thread] = c_.ite(taken, place, hold.place[thread]);
    hold.acquired[thread] = c_.ite(taken, c_.truth(acquires(i.order)), hold.acquired[thread]);
    hold.published[thread] = c_.conjunction(hold.published[thread], c_.negation(taken));
  }
}

// Under `when` a lock is given back: of `place`, where that is known.
void Encoder::give_back(const Lock& lock, int thread, Term when, std::optional<Term> place) {
  for (Hold& hold : holds_) {
    if (hold.lock != &lock) continue;
    const Term gone = place ? c_.conjunction(when, c_.equal(hold.place[thread], *place)) : when;
    hold.held[thread] = c_.conjunction(hold.held[thread], c_.negation(gone));
  }
}

// That who gives a lock back holds it, by `is` of where it is, and has published what it did.
void Encoder::check_lock(const Instruction& i, const Lock& lock, Term fits, Term gives,
                         const std::function<Term(Term)>& is) {
  std::vector<Term> ways;
  for (const Hold& hold : holds_) {
    if (hold.lock != &lock || lock.once) continue;
    ways.push_back(c_.conjunction({hold.held[0], is(hold.place[0]), hold.acquired[0],
                                   releases(i.order) ? c_.truth(true) : hold.published[0]}));
  }
  const Term claim = c_.conjunction(fits, c_.implies(gives, c_.disjunction(ways)));
  const std::size_t before = result_.conditions.checks.size();
  check(Property::race, c_.implies(live(0), claim), i.place,
        "a lock that its thread may not hold is released, or nothing orders what was done");
  if (result_.conditions.checks.size() > before) result_.conditions.checks.back().of_lock = true;
}

void Encoder::spin(const Instruction& i, const Lock& lock) {
  const bool knows = i.op != Op::atomic_store;
  const Term zero = c_.constant(0, width(i.operands[1]));
  // Places do not overlap.
  const int low = std::countr_zero(static_cast<unsigned>(lock.bytes));
  for (int t = 0; t < 2; ++t) {
    const Term here = reached_[t][at_], place = targets(i.operands[0], t)[0].offset;
    const Term given = bits(i.operands[1], t);
    const Term old =
        knows && i.result != kNone ? bits(i.result, t) : fresh("atomic", i.operands[1]);
    Term now = given;
    if (i.op == Op::atomic_compare) {
      now = c_.ite(c_.equal(old, given), bits(i.operands[2], t), old);
    } else if (knows && i.update == kernel::Update::bit_or) {
      now = c_.bit_or(old, given);
    } else if (knows && i.update == kernel::Update::bit_and) {
      now = c_.bit_and(old, given);
    }
    const Term is_free = c_.equal(now, zero), was_free = c_.equal(old, zero);
    if (t == 0) {
      const Term fits =
          low == 0 ? c_.truth(true) : c_.equal(c_.extract(place, 0, low), c_.constant(0, low));
      check_lock(i, lock, fits, knows ? c_.conjunction(is_free, c_.negation(was_free)) : is_free,
                 [&](Term held) { return c_.equal(held, place); });
    }
    give_back(lock, t, c_.conjunction(here, is_free), place);
    if (knows) take(i, t, c_.conjunction({here, was_free, c_.negation(is_free)}), place);
  }
}

// One place to read turns from, one to draw numbers from.
void Encoder::turn(const Instruction& i, const Lock& lock) {
  const bool reads = only_reads(f_, i);
  for (int t = 0; t < 2; ++t) {
    const Term here = reached_[t][at_], place = targets(i.operands[0], t)[0].offset;
    Term one_place = c_.truth(place == turn_places_.try_emplace(lock.region, place).first->second &&
                              c_.is_constant(place));
    std::vector<Term> mine;
    for (const Drawn& drawn : drawn_) {
      if (drawn.region != lock.numbers) continue;
      const Term from = turn_places_.try_emplace(lock.numbers, drawn.offset).first->second;
      if (drawn.offset != from || !c_.is_constant(from)) one_place = c_.truth(false);
      if (!reads || drawn.thread != t || i.result == kNone) continue;
      const Term value = bits(i.result, t);
      if (c_.width(value) != c_.width(drawn.value)) continue;
      mine.push_back(c_.conjunction(drawn.when, c_.equal(value, drawn.value)));
    }
    // What is held is told by its number.
    if (t == 0) {
      check_lock(i, lock, one_place, c_.truth(!reads), [&](Term number) {
        const bool adds = i.op == Op::atomic_update && i.update == kernel::Update::add;
        if (reads || adds) return c_.truth(true);
        const Term next = bits(i.operands[1], t);
        return c_.equal(c_.sub(next, c_.resize(number, c_.width(next))),
                        c_.constant(lock.step, c_.width(next)));
      });
    }
    if (!reads) give_back(lock, t, here, std::nullopt);
    if (mine.empty()) continue;
    take(i, t, c_.conjunction(here, c_.disjunction(mine)), c_.zext(bits(i.result, t), 64));
  }
}

// ---- Loops

// What a loop may change of what is held; who does not come to it keeps what it has.
void Encoder::carry_holds(LoopState& state, const Loop& loop) {
  for (std::size_t h = 0; h < holds_.size(); ++h) {
    Hold& hold = holds_[h];
    bool writes = false, fences = false;
    for (const BlockId b : loop.blocks) {
      for (const Instruction& i : f_.blocks[b].code) {
        writes = writes || lock_of(i) == hold.lock;
        fences = fences || i.op == Op::fence;
      }
    }
    for (const Hold::Part part : Hold::kParts) {
      if (part <= Hold::Part::place && !writes) continue;
      if (part == Hold::Part::acquired && !writes && !fences) continue;
      Carried one;
      one.hold = static_cast<int>(h);
      one.part = part;
      Term* now = hold.of(part);
      for (int t = 1; t >= 0; --t) {
        one.entry[t] = now[t];
        one.own[t] = one.variable[t] = c_.variable(
            fmt::format("loop{}.hold{}.{}.{}", state.loop, h, static_cast<int>(part), t + 1),
            c_.width(now[t]));
        state.at_entry[one.own[t].id] = one.entry[t];
        now[t] = c_.ite(state.entered[t], one.variable[t], now[t]);
      }
      state.carried.push_back(one);
    }
  }
}

// What was held at accesses of earlier rounds.
std::vector<Held> Encoder::summarized_holds(int region, const std::string& name) {
  std::vector<Held> result = held_at(region, 0);
  for (std::size_t h = 0; h < result.size(); ++h) {
    result[h] = {c_.variable(fmt::format("{}.held{}", name, h), 0),
                 c_.variable(fmt::format("{}.lock{}", name, h), 64)};
  }
  return result;
}

}  // namespace headway::verify
