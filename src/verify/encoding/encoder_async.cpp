// What one thread starts for its workgroup, and numbers that are drawn: asynchronous copies, and
// results of atomic additions.
#include <algorithm>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::kNone;
using kernel::Update;
using kernel::Value;

// ---- Copies. All threads of a workgroup come to one, which is done once, between there and where
// they wait for its event. It is logged as an access of the first thread that barriers do not
// order. That a thread's own access meets its group's copy shows where another thread of the group
// started it, so there has to be one.

void Encoder::async_copy(const Instruction& i) {
  std::uint64_t threads = 1;
  for (const auto& size : options_.launch.block) threads *= size.value_or(1);
  if (threads < 2) throw Unsupported{"an asynchronous copy of a workgroup of one thread", i.place};
  Term count[2], stride[2], length[2][2];
  for (int t = 0; t < 2; ++t) {
    count[t] = c_.resize(bits(i.operands[2], t), 64);
    stride[t] = c_.resize(bits(i.operands[3], t), 64);
    const Term one = c_.constant(1, 64);
    const Term hull = c_.ite(c_.equal(count[t], c_.constant(0, 64)), c_.constant(0, 64),
                             c_.add(c_.mul(c_.sub(count[t], one), stride[t]), one));
    for (int part = 0; part < 2; ++part) {
      const bool strided = i.kind == (part == 0 ? 1 : 2);
      length[part][t] = c_.scale(strided ? hull : count[t], i.bytes);
    }
  }
  const Term one = live(0), other = live(1);
  check(Property::divergence, c_.implies(same_group_, c_.equal(one, other)), i.place,
        "not all threads of a workgroup come to this copy together");
  std::vector<Term> same{c_.equal(count[0], count[1]),
                         c_.equal(bits(i.operands[4], 0), bits(i.operands[4], 1))};
  if (i.kind != 0) same.push_back(c_.equal(stride[0], stride[1]));
  for (int k = 0; k < 2; ++k) {
    const auto operand = i.operands[static_cast<std::size_t>(k)];
    same.push_back(c_.equal(bits(operand, 0), bits(operand, 1)));
  }
  check(Property::divergence,
        c_.implies(c_.conjunction({same_group_, one, other}), c_.conjunction(same)), i.place,
        "threads of a workgroup may give different arguments to this copy");
  // An event of its own, where none is given.
  const Term event = flow_.loop[at_] == kNoLoop
                         ? c_.constant(static_cast<std::uint64_t>(site_) + 1, 64)
                         : c_.fresh("event", 64);
  for (int t = 0; t < 2; ++t) {
    const Term given = c_.resize(bits(i.operands[4], t), 64);
    event_[t] = c_.ite(c_.equal(given, c_.constant(0, 64)), event, given);
    if (i.result == kNone) continue;
    values_[t][i.result] = f_.value(i.result).type.is_pointer()
                               ? Quantity{{}, {{c_.truth(true), kUnknownRegion, event_[t]}}}
                               : number(c_.resize(event_[t], width(i.result)));
  }
  Access like;
  like.async = true;
  like.kind = AccessKind::read;
  log_access(i, i.operands[1], like, length[0], std::nullopt, 0);
  like.kind = AccessKind::write;
  log_access(i, i.operands[0], like, length[1], std::nullopt, 1);
  for (auto& [region, version] : version_) version = ++next_version_;
}

void Encoder::wait_events(const Instruction& i) {
  const Term one = live(0), other = live(1);
  check(Property::divergence, c_.implies(same_group_, c_.equal(one, other)), i.place,
        "not all threads of a workgroup wait here together");
  for (auto& [region, version] : version_) version = ++next_version_;
  std::vector<Term> events[2];
  for (int t = 0; t < 2; ++t) {
    const Term count = bits(i.operands[0], t);
    const std::vector<Target> to = targets(i.operands[1], t);
    const bool known =
        c_.is_constant(count) && c_.value(count) <= 64 && to.size() == 1 &&
        regions_.all[static_cast<std::size_t>(to[0].region)].space == kernel::Space::local &&
        c_.is_constant(to[0].offset);
    if (!known) throw Unsupported{"a wait for events that are not known", i.place};
    for (std::uint64_t k = 0; k < c_.value(count); ++k) {
      events[t].push_back(held(to[0].region, c_.value(to[0].offset) + 8 * k, 8, t));
    }
  }
  std::vector<Term> same{c_.truth(events[0].size() == events[1].size())};
  for (std::size_t k = 0; k < std::min(events[0].size(), events[1].size()); ++k) {
    same.push_back(c_.equal(events[0][k], events[1][k]));
  }
  check(Property::divergence,
        c_.implies(c_.conjunction({same_group_, one, other}), c_.conjunction(same)), i.place,
        "threads of a workgroup may wait here for different events");
  // What the second thread has waited for is over for it.
  for (Access& a : log_) {
    if (!a.async) continue;
    std::vector<Term> is;
    is.reserve(events[1].size());
    for (const Term e : events[1]) is.push_back(c_.equal(a.event, e));
    const Term over = c_.conjunction({other, same_group_, c_.disjunction(is)});
    a.when = c_.conjunction(a.when, c_.negation(over));
  }
  std::erase_if(log_, [this](const Access& a) { return c_.is_false(a.when); });
}

// ---- Tickets. Where all atomic writes of a region add one constant, none of them in a loop that
// is cut, and nothing else writes it after the first of them, what they give at one place differs,
// by at least that constant, also around the end of the numbers, if all threads together cannot get
// around it.
// Other writes before are ordered with them, or race: up to the first race this holds.

void Encoder::find_tickets() {
  if (regions_.unknown_written) return;
  std::uint64_t group = 1, all = 1;
  bool known = true, group_known = true;
  for (std::size_t d = 0; d < 3; ++d) {
    group_known = group_known && options_.launch.block[d].has_value();
    known = known && options_.launch.grid[d].has_value();
    group *= options_.launch.block[d].value_or(1);
    all *= options_.launch.grid[d].value_or(1);
  }
  known = known && group_known;
  all *= group;
  struct Use {
    std::uint64_t step = 0, sites = 0;
    kernel::Op op = kernel::Op::add;
    Update update = Update::add;
    int bits = 0, first = -1, last_other = -1;
    bool fits = true, in_loop = false, others_in_loop = false, looked_at = false;
  };
  std::map<int, Use> uses;
  std::set<ValueId> operands;
  for (const BlockId b : flow_.order) {
    for (const Instruction& i : f_.blocks[b].code) {
      operands.insert(i.operands.begin(), i.operands.end());
    }
  }
  int place = 0;
  for (const BlockId b : flow_.order) {
    for (const Instruction& i : f_.blocks[b].code) {
      ++place;
      const Touch touch = touch_of(i);
      if (!touch.writes) continue;
      const std::set<int>& to = regions_.of_value[i.operands[0]];
      for (const int r : to) {
        Use& use = uses[r];
        if (!touch.atomic) {
          use.last_other = place;
          use.others_in_loop = use.others_in_loop || flow_.loop[b] != kNoLoop;
          continue;
        }
        const bool of_group = regions_.all[static_cast<std::size_t>(r)].of_group();
        const bool adds = i.op == Op::atomic_update && i.type.is_integer() &&
                          (i.update == Update::add || i.update == Update::sub);
        if (!adds || to.size() != 1 || (flow_.loop[b] != kNoLoop && !tickets_in_loops_) ||
            f_.value(i.operands[1]).kind != Value::Kind::constant ||
            (!of_group && i.scope < kernel::Scope::device)) {
          use.fits = false;
          continue;
        }
        const std::uint64_t step = f_.value(i.operands[1]).bits;
        if (use.sites > 0 &&
            (use.step != step || use.update != i.update || use.bits != i.type.bits)) {
          use.fits = false;
        }
        use.step = step;
        use.looked_at = use.looked_at || operands.contains(i.result);
        use.update = i.update;
        use.bits = i.type.bits;
        std::uint64_t times = 1;
        for (int l = flow_.loop[b]; l != kNoLoop;
             l = flow_.loops[static_cast<std::size_t>(l)].parent) {
          use.in_loop = true;
          times *= kMostRounds + 1;
        }
        use.sites += times;
        if (use.first < 0) use.first = place;
      }
    }
  }
  for (const auto& [r, use] : uses) {
    const bool of_group = regions_.all[static_cast<std::size_t>(r)].of_group();
    if (!use.fits || !use.looked_at || (use.in_loop && use.others_in_loop) ||
        use.last_other > use.first || use.bits < 8)
      continue;
    if (!(of_group ? group_known : known)) continue;
    const std::uint64_t negative = (smt::mask_of(use.bits) - use.step) + 1;
    const std::uint64_t step = std::min(use.step, negative & smt::mask_of(use.bits));
    if (step == 0 || step > 1'000'000) continue;
    const unsigned __int128 span =
        static_cast<unsigned __int128>(of_group ? group : all) * use.sites * step;
    if (span > smt::mask_of(use.bits)) continue;
    tickets_[r] = step;
    if (use.last_other >= 0) begun_.insert(r);
  }
}

void Encoder::draw(const Instruction& i, int thread, Term value) {
  const std::set<int>& to = regions_.of_value[i.operands[0]];
  if (to.size() != 1) return;
  const auto ticket = tickets_.find(*to.begin());
  if (ticket == tickets_.end()) return;
  const Drawn now{thread, ticket->first, live(thread), targets(i.operands[0], thread)[0].offset,
                  value};
  const Term step = c_.constant(ticket->second, c_.width(value));
  for (const Drawn& before : drawn_) {
    if (before.region != now.region || c_.width(before.value) != c_.width(value)) continue;
    Term both = c_.conjunction({before.when, now.when, c_.equal(before.offset, now.offset)});
    if (before.thread != thread && regions_.all[static_cast<std::size_t>(now.region)].of_group()) {
      both = c_.conjunction(both, same_group_);
    }
    const Term apart = c_.sub(value, before.value);
    assume(c_.implies(both, c_.conjunction(c_.ule(step, apart), c_.ule(step, c_.neg(apart)))));
  }
  drawn_.push_back(now);
}

}  // namespace headway::verify
