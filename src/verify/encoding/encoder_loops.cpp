#include <fmt/format.h>

#include <algorithm>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::BlockId;
using kernel::Claim;
using kernel::kNone;
using kernel::Value;

Encoder::Encoder(smt::Context& context, const kernel::Module& module,
                 const kernel::Function& function, const Flow& flow, const Options& options,
                 const Learned& learned, Kept kept)
    : c_(context),
      module_(module),
      f_(function),
      flow_(flow),
      options_(options),
      learned_(learned),
      kept_(kept),
      regions_(regions_of(module, function, kept)),
      uniformity_(uniformity_of(function, flow, regions_)) {
  result_.learned = learned;
  if (options.bounds) set_up_sizes();
}

Encoding encode(smt::Context& context, const kernel::Module& module,
                const kernel::Function& function, const Flow& flow, const Options& options,
                const Learned& learned) {
  const auto with = [&](Kept kept) {
    const auto encoder = [&] {
      return Encoder(context, module, function, flow, options, learned, kept);
    };
    if (options.left_out.contains("unroll")) return encoder().encode(false, false);
    for (const bool tickets_in_loops : {true, false}) {
      try {
        return encoder().encode(true, tickets_in_loops);
      } catch (const Encoder::Endless&) {
      } catch (const Encoder::NotUnrolled&) {
        break;
      }
    }
    return encoder().encode(false, false);
  };
  try {
    return with(Kept::as_stored);
  } catch (const Encoder::Strayed&) {
    return with(Kept::anything);
  }
}

Encoding Encoder::encode(bool unrolling, bool tickets_in_loops) {
  unrolling_ = unrolling;
  tickets_in_loops_ = tickets_in_loops;
  definitions_.assign(f_.values.size(), nullptr);
  defined_in_.assign(f_.values.size(), 0);
  for (const kernel::Block& b : f_.blocks) {
    for (const Instruction& i : b.code) {
      if (i.result != kNone) {
        definitions_[i.result] = &i;
        defined_in_[i.result] = static_cast<BlockId>(&b - f_.blocks.data());
      }
      // Invariants of a function are about the heads of loops.
      if (i.op == Op::claim &&
          (i.claim == Claim::function_invariant || i.claim == Claim::global_invariant)) {
        unrolling_ = false;
      }
    }
  }
  set_up_launch();
  set_up_values();
  assume_stated();
  find_tickets();
  find_views();
  result_.lockstep = options_.lockstep;
  if (result_.lockstep) result_.same_subgroup = same_subgroup();
  for (auto& of : reached_) of.assign(f_.blocks.size(), c_.truth(false));
  result_.loops.resize(flow_.loops.size());
  int next = 0;
  for (const kernel::Block& b : f_.blocks) {
    first_site_.emplace_back();
    for (std::size_t k = 0; k < b.code.size(); ++k) first_site_.back().push_back(next++);
  }
  find_locks();
  for (const Loop& loop : flow_.loops) {
    kernel::Place place;
    for (const auto& i : f_.blocks[loop.head].code) {
      if (i.place.line > 0) {
        place = i.place;
        break;
      }
    }
    result_.conditions.loops.push_back(place);
  }
  for (const BlockId b : flow_.order) {
    while (!open_.empty() && !flow_.in_loop(b, open_.back())) leave(open_.back());
    if (in_unrolled(flow_.loop[b], kNoLoop)) continue;
    if (flow_.loop[b] != kNoLoop &&
        flow_.loops[static_cast<std::size_t>(flow_.loop[b])].head == b) {
      begin_loop(flow_.loop[b]);
    } else {
      block(b);
    }
  }
  while (!open_.empty()) leave(open_.back());
  finish_invariants();
  return std::move(result_);
}

void Encoder::assume(Term term) {
  if (c_.is_true(term)) return;
  result_.conditions.items.push_back({Item::Kind::assume, term, 0});
}

void Encoder::check(Property property, Term claim, const kernel::Place& place, std::string detail,
                    const kernel::Place& other, const Access* first, const Access* second) {
  if (c_.is_true(claim)) return;
  if (is_single_ && (property == Property::race || property == Property::divergence)) return;
  add_check(property, claim, place, std::move(detail), other);
  Check& made = result_.conditions.checks.back();
  if (first != nullptr && second != nullptr) {
    made.first = first->made_by;
    made.second = second->made_by;
    made.of_group = regions_.all[static_cast<std::size_t>(first->region)].of_group();
  }
}

void Encoder::add_check(Property property, Term claim, const kernel::Place& place,
                        std::string detail, const kernel::Place& other) {
  Conditions& all = result_.conditions;
  if (all.checks.size() > 20000) throw Unsupported{"more than 20,000 conditions", place};
  all.items.push_back({Item::Kind::check, claim, all.checks.size()});
  all.checks.push_back({property, claim, place, other, std::move(detail)});
}

// Under this a thread does what the code at hand says. One that has left a loop earlier goes
// through its last round again, for its values alone.
Term Encoder::live(int thread) const {
  Term result = reached_[thread][at_];
  if (!open_.empty()) {
    result = c_.conjunction(result,
                            result_.loops[static_cast<std::size_t>(open_.back())].active[thread]);
  }
  return result;
}

Term Encoder::edge(BlockId from, BlockId to, int thread) {
  const Instruction& end = f_.blocks[from].end();
  Term taken = c_.truth(false);
  if (end.op == Op::jump) {
    taken = c_.truth(true);
  } else if (end.op == Op::branch) {
    const Term condition = bits(end.operands[0], thread);
    if (end.targets[0] == to) taken = condition;
    if (end.targets[1] == to) taken = c_.disjunction(taken, c_.negation(condition));
  } else if (end.op == Op::choose) {
    const Term chosen = bits(end.operands[0], thread);
    const int w = c_.width(chosen);
    std::vector<Term> here, anywhere;
    for (std::size_t k = 0; k < end.cases.size(); ++k) {
      const Term is = c_.equal(chosen, c_.constant(end.cases[k], w));
      anywhere.push_back(is);
      if (end.targets[k + 1] == to) here.push_back(is);
    }
    if (end.targets[0] == to) here.push_back(c_.negation(c_.disjunction(anywhere)));
    taken = c_.disjunction(here);
  }
  return c_.conjunction(reached_[thread][from], taken);
}

void Encoder::block(BlockId b) {
  at_ = b;
  barrier_claims_.clear();
  const bool head =
      flow_.loop[b] != kNoLoop && flow_.loops[static_cast<std::size_t>(flow_.loop[b])].head == b;
  if (!head) {
    for (int t = 0; t < 2; ++t) {
      std::vector<Term> ways;
      for (const BlockId p : flow_.before[b]) ways.push_back(edge(p, b, t));
      Term here = b == flow_.order.front() ? c_.truth(true) : c_.disjunction(ways);
      // Whoever comes to a block comes to the next one that all ways lead through, if it ends.
      const BlockId up = flow_.dominator[b];
      if (up != b && flow_.loop[up] == flow_.loop[b] && flow_.post_dominates(b, up)) {
        here = reached_[t][up];
      }
      reached_[t][b] = here;
    }
  }
  const auto& code = f_.blocks[b].code;
  if (!head) {
    std::vector<std::pair<ValueId, Quantity>> phis[2];
    for (const Instruction& i : code) {
      if (i.op != Op::phi) break;
      for (int t = 0; t < 2; ++t) {
        std::vector<std::pair<Term, Quantity>> choices;
        for (std::size_t k = 0; k < i.operands.size(); ++k) {
          if (flow_.position[i.targets[k]] < 0) continue;
          choices.emplace_back(edge(i.targets[k], b, t), operand(i.operands[k], t));
        }
        phis[t].emplace_back(i.result, merged(choices));
      }
    }
    for (int t = 0; t < 2; ++t) {
      for (auto& [id, q] : phis[t]) values_[t][id] = std::move(q);
    }
  }
  for (std::size_t k = 0; k < code.size(); ++k) {
    const Instruction& i = code[k];
    site_ = first_site_[b][k];
    if (act(i)) continue;
    const Touch touch = touch_of(i);
    if (i.result != kNone) {
      Quantity both[2];
      for (int t = 0; t < 2; ++t) both[t] = evaluate(i, t);
      note_arithmetic(i);
      const bool asks_who_is_active =
          i.op == Op::builtin && i.builtin == kernel::Builtin::active_mask;
      if (i.op == Op::mul && uniformity_.value[i.result] == Uniform::group) {
        both[1].bits = same_product(i, both[0].bits, both[1].bits);
      }
      if (i.op == Op::subgroup) join_results(i, both);
      for (int t = 0; t < 2; ++t) values_[t][i.result] = std::move(both[t]);
      if (asks_who_is_active) know_active(i.result);
    }
    if (touch.reads || touch.writes) access(i);
  }
}

// ---- Loops

void Encoder::enter(int which) {
  const Loop& loop = flow_.loops[static_cast<std::size_t>(which)];
  LoopState& state = result_.loops[static_cast<std::size_t>(which)];
  state.loop = which;
  state.unrolled = false;
  const auto& code = f_.blocks[loop.head].code;
  const auto is_latch = [&](BlockId b) {
    return std::find(loop.latches.begin(), loop.latches.end(), b) != loop.latches.end();
  };
  // How it is entered.
  std::vector<BlockId> outside;
  for (const BlockId p : flow_.before[loop.head]) {
    if (!is_latch(p)) outside.push_back(p);
  }
  Term ways_in[2];
  for (int t = 0; t < 2; ++t) {
    std::vector<Term> ways;
    ways.reserve(outside.size());
    for (const BlockId p : outside) ways.push_back(edge(p, loop.head, t));
    state.entered[t] = outside.empty() ? c_.truth(true) : c_.disjunction(ways);
    const BlockId up = flow_.dominator[loop.head];
    if (up != loop.head && flow_.loop[up] == loop.parent && flow_.post_dominates(loop.head, up)) {
      state.entered[t] = reached_[t][up];
    }
    state.present[t] =
        open_.empty()
            ? state.entered[t]
            : c_.conjunction(state.entered[t],
                             result_.loops[static_cast<std::size_t>(open_.back())].active[t]);
    ways_in[t] = state.entered[t];
  }
  state.any_present = c_.disjunction(state.present[0], state.present[1]);
  std::vector<std::pair<ValueId, std::array<Quantity, 2>>> entries;
  for (const Instruction& i : code) {
    if (i.op != Op::phi) break;
    std::array<Quantity, 2> both;
    for (int t = 0; t < 2; ++t) {
      std::vector<std::pair<Term, Quantity>> choices;
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        if (is_latch(i.targets[k]) || flow_.position[i.targets[k]] < 0) continue;
        choices.emplace_back(edge(i.targets[k], loop.head, t), operand(i.operands[k], t));
      }
      both[static_cast<std::size_t>(t)] = merged(choices);
    }
    entries.emplace_back(i.result, both);
  }
  // What happens in the loop, and whether threads stay together in it and around it.
  Uniform together = Uniform::grid;
  for (int l = which; l != kNoLoop; l = flow_.loops[static_cast<std::size_t>(l)].parent) {
    together = std::min(together, uniformity_.loop_exit[static_cast<std::size_t>(l)]);
  }
  state.uniform = together;
  bool clears_group = false, clears_global = false, clears_subgroup = false, wild = false;
  std::set<int> stored;
  for (const BlockId b : loop.blocks) {
    for (const Instruction& i : f_.blocks[b].code) {
      if (kernel::is_barrier(i.op)) {
        state.has_barrier = true;
        const bool narrow = i.op == Op::barrier && i.scope == kernel::Scope::subgroup;
        const bool grid = i.op == Op::barrier && i.scope == kernel::Scope::device;
        clears_subgroup = clears_subgroup || narrow;
        clears_group = clears_group || (!narrow && (grid || (i.memory & 1) != 0));
        clears_global = clears_global || (!narrow && (grid || (i.memory & 2) != 0));
      }
      if (i.op == Op::wait_events) {
        state.has_barrier = clears_group = clears_global = true;
      }
      if (!touch_of(i).writes) continue;
      for (const int r : regions_.of_value[i.operands[0]]) {
        if (tickets_.contains(r) && i.op == Op::atomic_update) throw Endless();
        stored.insert(r);
        wild = wild || r == kUnknownRegion;
      }
    }
  }
  result_.conditions.items.push_back({Item::Kind::base, {}, static_cast<std::size_t>(which)});
  state.log_base = log_;
  state.first_variable = c_.size();

  // The head: a state of which only what is shown by candidates is known.
  const std::string tag = fmt::format("loop{}", which);
  for (int t = 0; t < 2; ++t) {
    state.active_own[t] = c_.variable(fmt::format("{}.active{}", tag, t + 1), 0);
    state.active[t] = c_.conjunction(state.present[t], state.active_own[t]);
    state.at_entry[state.active_own[t].id] = c_.truth(true);
  }
  assume(c_.implies(state.any_present, c_.disjunction(state.active[0], state.active[1])));
  if (together != Uniform::no) {
    Term when = c_.conjunction(state.present[0], state.present[1]);
    if (together == Uniform::group) when = c_.conjunction(when, same_group_);
    assume(c_.implies(when, c_.equal(state.active_own[0], state.active_own[1])));
  }
  const auto carry = [&](const std::string& name, int width, Uniform uniform, Term first,
                         Term second) {
    Carried one;
    one.uniform = uniform;
    one.entry[0] = first;
    one.entry[1] = second;
    const bool share = uniform != Uniform::no && together != Uniform::no;
    const Uniform level = std::min(uniform, together);
    one.own[0] = c_.variable(name + ".1", width);
    one.own[1] = share && level == Uniform::grid ? one.own[0] : c_.variable(name + ".2", width);
    one.variable[0] = one.own[0];
    one.variable[1] =
        share && level == Uniform::group ? c_.ite(same_group_, one.own[0], one.own[1]) : one.own[1];
    if (uniform != Uniform::no && !share) {
      Term when = c_.conjunction(state.active[0], state.active[1]);
      if (uniform == Uniform::group) when = c_.conjunction(when, same_group_);
      assume(c_.implies(when, c_.equal(one.variable[0], one.variable[1])));
    }
    for (int t = 1; t >= 0; --t) state.at_entry[one.own[t].id] = one.entry[t];
    state.carried.push_back(one);
    return state.carried.size() - 1;
  };
  for (auto& [id, entry] : entries) {
    const std::string name =
        fmt::format("{}.{}", tag,
                    f_.value(id).name.empty() ? fmt::format("v{}", id)
                                              : fmt::format("{}.{}", f_.value(id).name, id));
    const Uniform uniform = uniformity_.value[id];
    if (!f_.value(id).type.is_pointer()) {
      const std::size_t at = carry(name, width(id), uniform, entry[0].bits, entry[1].bits);
      state.carried[at].value = id;
      for (int t = 0; t < 2; ++t) values_[t][id] = number(state.carried[at].variable[t]);
      continue;
    }
    const std::set<int>& to = regions_.of_value[id];
    const auto offset_of = [&](const Quantity& q) {
      Term result = q.targets[0].offset;
      for (std::size_t k = 1; k < q.targets.size(); ++k) {
        result = c_.ite(q.targets[k].condition, q.targets[k].offset, result);
      }
      return result;
    };
    const std::size_t at = carry(name, 64, uniform, offset_of(entry[0]), offset_of(entry[1]));
    state.carried[at].value = id;
    state.carried[at].pointer = true;
    std::size_t which_target = 0;
    if (to.size() > 1) {
      const auto selected = [&](const Quantity& q) {
        Term result = c_.constant(static_cast<std::uint64_t>(q.targets[0].region), 16);
        for (std::size_t k = 1; k < q.targets.size(); ++k) {
          result = c_.ite(q.targets[k].condition,
                          c_.constant(static_cast<std::uint64_t>(q.targets[k].region), 16), result);
        }
        return result;
      };
      which_target = carry(name + ".to", 16, uniform, selected(entry[0]), selected(entry[1]));
      state.carried[which_target].value = id;
      state.carried[which_target].selects = true;
    }
    for (int t = 0; t < 2; ++t) {
      Quantity q;
      for (const int r : to) {
        const Term chosen = to.size() == 1
                                ? c_.truth(true)
                                : c_.equal(state.carried[which_target].variable[t],
                                           c_.constant(static_cast<std::uint64_t>(r), 16));
        q.targets.push_back({chosen, r, state.carried[at].variable[t]});
      }
      values_[t][id] = q;
    }
  }
  // Private memory that the loop writes.
  if (wild) forget_private();
  for (auto& [key, cell] : cells_) {
    const auto& [region, offset, bytes] = key;
    if (!stored.contains(region)) continue;
    const std::size_t at =
        carry(fmt::format("{}.cell{}.{}.{}", tag, region, offset, bytes),
              static_cast<int>(bytes) * 8, Uniform::no, cell.value[0], cell.value[1]);
    Carried& one = state.carried[at];
    one.region = region;
    one.at = offset;
    one.bytes = bytes;
    cell = {{one.variable[0], one.variable[1]}, {}, {}};
  }
  carry_holds(state, loop);
  for (const int r : stored) {
    const Region& region = regions_.all[static_cast<std::size_t>(r)];
    if (!region.shared()) private_written_.insert(r);
  }
  // The log: what was there, as far as no barrier of the loop cleared it, and what earlier rounds
  // added.
  for (auto& logged : log_) {
    const bool of_group = regions_.all[static_cast<std::size_t>(logged.region)].of_group();
    if (!clears_subgroup && !(of_group ? clears_group : clears_global)) continue;
    const Term kept = c_.fresh(tag + ".kept", 0);
    state.at_entry[kept.id] = c_.truth(true);
    logged.when = c_.conjunction(logged.when, kept);
  }
  for (const BlockId b : loop.blocks) {
    for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
      const Instruction& i = f_.blocks[b].code[k];
      const Touch touch = touch_of(i);
      if (!touch.reads && !touch.writes) continue;
      const bool copies = i.op == Op::copy || i.op == Op::async_copy || i.op == Op::thread_copy;
      if (i.op == Op::thread_copy && !is_waited_for(i, b, which)) {
        throw Unsupported{"a copy that goes on from one round of a loop to the next", i.place};
      }
      for (int part = 0; part < (copies ? 2 : 1); ++part) {
        const ValueId pointer = i.operands[copies && part == 0 ? 1 : 0];
        for (const int r : regions_.of_value[pointer]) {
          if (!matters(r)) continue;
          Site site;
          site.site = 2 * first_site_[b][k] + part;
          site.region = r;
          site.kind = touch.atomic   ? AccessKind::atomic
                      : copies       ? (part == 0 ? AccessKind::read : AccessKind::write)
                      : touch.writes ? AccessKind::write
                                     : AccessKind::read;
          const std::string name = fmt::format("{}.site{}.{}", tag, site.site, r);
          site.occurred = c_.variable(name + ".occurred", 0);
          site.offset = c_.variable(name + ".offset", 64);
          site.bytes = c_.constant(static_cast<std::uint64_t>(i.type.bytes()), 64);
          if (i.op == Op::async_copy) {
            site.bytes = c_.variable(name + ".bytes", 64);
          } else if (copies || i.op == Op::fill) {
            const Value& length = f_.value(i.operands[2]);
            site.bytes = length.kind == Value::Kind::constant ? c_.constant(length.bits, 64)
                                                              : c_.variable(name + ".bytes", 64);
          }
          if (i.op == Op::store) {
            const int w = width(i.operands[1]);
            site.value = c_.variable(name + ".value", w == 0 ? 8 : w);
          }
          Access one;
          one.when = c_.conjunction(state.present[0], site.occurred);
          one.region = r;
          one.kind = site.kind;
          one.offset = site.offset;
          one.bytes = site.bytes;
          one.value = site.value;
          one.atomic_writes = touch.writes;
          if (touch.atomic || i.op == Op::load || i.op == Op::store) one.scope = i.scope;
          one.site = site.site;
          one.made_by = &i;
          one.summary_of = which;
          one.async = i.op == Op::async_copy;
          if (one.async) one.event = c_.fresh("event", 64);
          one.place = i.place;
          one.locks = site.locks = one.async ? std::vector<Held>{} : summarized_holds(r, name);
          if (!c_.is_false(one.when)) log_.push_back(one);
          state.sites.push_back(std::move(site));
        }
      }
    }
  }
  for (auto& [region, version] : version_) version = ++next_version_;
  state.log_head = log_;
  state.last_variable = c_.size();
  open_.push_back(which);
  for (int t = 0; t < 2; ++t) reached_[t][loop.head] = ways_in[t];
  result_.conditions.items.push_back({Item::Kind::head, {}, static_cast<std::size_t>(which)});
}

void Encoder::leave(int which) {
  const Loop& loop = flow_.loops[static_cast<std::size_t>(which)];
  LoopState& state = result_.loops[static_cast<std::size_t>(which)];
  at_ = loop.head;
  for (int t = 0; t < 2; ++t) {
    std::vector<Term> ways;
    for (const BlockId p : loop.latches) ways.push_back(edge(p, loop.head, t));
    state.back[t] = c_.disjunction(ways);
    // Those that go through their last round again leave.
    assume(c_.implies(c_.conjunction(state.entered[t], c_.negation(state.active[t])),
                      c_.negation(state.back[t])));
  }
  std::size_t next = 0;
  const auto put = [&](std::size_t at, const Term back[2]) {
    Carried& one = state.carried[at];
    for (int t = 1; t >= 0; --t) {
      one.back[t] = back[t];
      // Of a thread that has left it stays what it was.
      state.at_step[one.own[t].id] =
          c_.ite(c_.conjunction(state.active[t], state.back[t]), back[t], one.variable[t]);
    }
  };
  for (const Instruction& i : f_.blocks[loop.head].code) {
    if (i.op != Op::phi) break;
    Term value[2], target[2];
    for (int t = 0; t < 2; ++t) {
      std::vector<std::pair<Term, Quantity>> choices;
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        if (std::find(loop.latches.begin(), loop.latches.end(), i.targets[k]) ==
            loop.latches.end()) {
          continue;
        }
        choices.emplace_back(edge(i.targets[k], loop.head, t), operand(i.operands[k], t));
      }
      const Quantity q = merged(choices);
      value[t] = q.bits;
      if (q.targets.empty()) continue;
      value[t] = q.targets[0].offset;
      target[t] = c_.constant(static_cast<std::uint64_t>(q.targets[0].region), 16);
      for (std::size_t k = 1; k < q.targets.size(); ++k) {
        value[t] = c_.ite(q.targets[k].condition, q.targets[k].offset, value[t]);
        target[t] =
            c_.ite(q.targets[k].condition,
                   c_.constant(static_cast<std::uint64_t>(q.targets[k].region), 16), target[t]);
      }
    }
    put(next++, value);
    if (next < state.carried.size() && state.carried[next].selects &&
        state.carried[next].value == i.result) {
      put(next++, target);
    }
  }
  // Cells come behind the phis, in the order of the map at the head; some may be gone since.
  for (; next < state.carried.size(); ++next) {
    Term value[2];
    const Carried& one = state.carried[next];
    const auto cell = cells_.find({one.region, one.at, one.bytes});
    for (int t = 0; t < 2; ++t) {
      value[t] = one.hold >= 0          ? holds_[static_cast<std::size_t>(one.hold)].of(one.part)[t]
                 : cell != cells_.end() ? cell->second.value[t]
                                        : c_.fresh("held", c_.width(one.own[t]));
    }
    put(next, value);
  }
  for (int t = 0; t < 2; ++t) {
    state.at_step[state.active_own[t].id] = c_.conjunction(state.active[t], state.back[t]);
  }
  state.log_step = log_;
  for (const BlockId e : loop.exiting) {
    const Instruction& end = f_.blocks[e].end();
    if (end.op == Op::branch && flow_.loop[e] == which) {
      state.exit_conditions.push_back({bits(end.operands[0], 0), bits(end.operands[0], 1)});
    }
  }
  result_.conditions.items.push_back({Item::Kind::step, {}, static_cast<std::size_t>(which)});
  for (int t = 0; t < 2; ++t) {
    assume(c_.negation(c_.conjunction(state.active[t], state.back[t])));
  }
  for (auto& [region, version] : version_) version = ++next_version_;
  open_.pop_back();
}

}  // namespace headway::verify
