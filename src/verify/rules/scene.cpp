#include "verify/rules/scene.hpp"

#include <numeric>

namespace headway::verify::rules {

using smt::Kind;
using smt::Node;

Scene::Scene(smt::Context& context, const Encoding& all, const LoopState& state, const Flow& shape)
    : c(context), encoding(all), loop(state), flow(shape) {
  for (const LoopState& other : encoding.loops) {
    int l = other.loop;
    while (l != kNoLoop && l != loop.loop) l = flow.loops[static_cast<std::size_t>(l)].parent;
    if (l != loop.loop) continue;
    for (const Carried& one : other.carried) start_[one.own[0].id] = one.entry[0];
  }
  find_inductions();
}

bool Scene::varies(Term t) const {
  if (const auto at = varies_.find(t); at != varies_.end()) return at->second;
  const Node& n = c.node(t);
  bool result = n.kind == Kind::variable && t.id >= loop.first_variable;
  for (const Term a : n.args) result = result || varies(a);
  varies_[t] = result;
  return result;
}

View Scene::view(Term t) const {
  View v;
  const std::function<void(Term, std::int64_t)> walk = [&](Term part, std::int64_t factor) {
    const Node& n = c.node(part);
    switch (n.kind) {
      case Kind::constant:
        v.constant += factor * smt::as_signed(n.value, n.width);
        return;
      case Kind::linear:
        v.constant += factor * smt::as_signed(n.value, n.width);
        for (std::size_t i = 0; i < n.args.size(); ++i) {
          walk(n.args[i], factor * smt::as_signed(n.factors[i], n.width));
        }
        return;
      case Kind::zext:
      case Kind::sext:
        walk(n.args[0], factor);
        return;
      case Kind::extract:
        if (n.value == 0 && n.width >= 32) {
          walk(n.args[0], factor);
          return;
        }
        break;
      default:
        break;
    }
    v.parts[part] += factor;
  };
  walk(t, 1);
  std::erase_if(v.parts, [](const auto& part) { return part.second == 0; });
  return v;
}

Term Scene::start(Term t) const {
  for (int round = 0; round < 6 && varies(t); ++round) {
    smt::Substitution by;
    for (const Term leaf : c.leaves(t)) {
      if (c.node(leaf).kind != Kind::variable || leaf.id < loop.first_variable) continue;
      const auto at = start_.find(leaf.id);
      by[leaf.id] =
          at != start_.end() && at->second != leaf ? at->second : c.constant(0, c.width(leaf));
    }
    t = c.substitute(t, by);
  }
  return t;
}

const Induction* Scene::induction_of(Term variable) const {
  for (const Induction& i : inductions) {
    if (loop.carried[i.carried].own[0] == variable) return &i;
  }
  return nullptr;
}

std::map<Term, std::int64_t> Scene::strides() const {
  std::map<Term, std::int64_t> result;
  for (const Induction& i : inductions) {
    if (i.stride) result[loop.carried[i.carried].own[0]] = *i.stride;
  }
  return result;
}

std::int64_t Scene::stride_of(Term variable) const {
  const auto at = strides_.find(variable);
  return at != strides_.end() ? at->second : 1;
}

Term Scene::wide(Term t) const {
  if (c.width(t) == 64) return t;
  return c.node(t).range.signed_low >= 0 || c.width(t) < 32 ? c.zext(t, 64) : c.sext(t, 64);
}

void Scene::find_inductions() {
  for (std::size_t k = 0; k < loop.carried.size(); ++k) {
    const Carried& one = loop.carried[k];
    Induction found;
    found.carried = k;
    const int w = c.width(one.own[0]);
    if (w == 0 || one.selects) {
      inductions.push_back(found);
      continue;
    }
    // The changes on all ways through a round.
    std::vector<Term> changes;
    bool halved = false, doubled = false, other = false;
    const std::function<void(Term, int)> walk = [&](Term back, int depth) {
      const Node& n = c.node(back);
      if (n.kind == Kind::ite && depth < 4) {
        walk(n.args[1], depth + 1);
        walk(n.args[2], depth + 1);
        return;
      }
      const Term change = c.sub(back, one.own[0]);
      if (!varies(change)) {
        changes.push_back(change);
      } else if (back == c.scale(one.own[0], 2)) {
        doubled = true;
      } else if (((n.kind == Kind::lshr || n.kind == Kind::ashr) && n.args[0] == one.own[0] &&
                  c.is_constant(n.args[1], 1)) ||
                 ((n.kind == Kind::sdiv || n.kind == Kind::udiv) && n.args[0] == one.own[0] &&
                  c.is_constant(n.args[1], 2))) {
        halved = true;
      } else {
        other = true;
        // A sum of strides: of what they have in common.
        View v = view(change);
        std::int64_t common = v.constant;
        for (const auto& [part, f] : v.parts) common = std::gcd(common, f);
        if (common != 0 && common != 1 && common != -1) {
          changes.push_back(c.constant(static_cast<std::uint64_t>(common), w));
          other = false;
        }
      }
    };
    walk(one.back[0], 0);
    if (!other && !changes.empty() && !halved && !doubled) {
      found.kind = Induction::Kind::strided;
      std::int64_t common = 0;
      bool constant = true;
      for (const Term t : changes) {
        constant = constant && c.is_constant(t);
        if (constant) {
          const std::int64_t s = smt::as_signed(c.value(t), w);
          common = common == 0 ? s : std::gcd(common, s);
        }
      }
      if (constant && common != 0) found.stride = common;
      found.one_step = changes.size() == 1;
      for (int t = 0; t < 2; ++t) found.step[t] = c.sub(one.back[t], one.variable[t]);
      if (!constant && varies(found.step[0])) found.kind = Induction::Kind::other;
    } else if (!other && changes.empty() && halved != doubled) {
      found.kind = halved ? Induction::Kind::halved : Induction::Kind::doubled;
    }
    inductions.push_back(found);
  }
}

void Scene::add(Candidate candidate) {
  candidate.loop = loop.loop;
  if (c.is_true(candidate.head) || c.is_false(candidate.base)) return;
  // Assumed at the head, it must not speak of what is only known later.
  for (const Term leaf : c.leaves(candidate.head)) {
    if (c.node(leaf).kind == Kind::variable && leaf.id >= loop.last_variable) return;
  }
  if (!seen_.emplace(candidate.head, true).second) return;
  found_.push_back(std::move(candidate));
}

void Scene::unary(const std::string& rule, const std::string& text, int weight,
                  const std::function<Term(int)>& made) {
  Candidate one;
  one.rule = rule;
  one.text = text;
  one.weight = weight;
  // Checked for both, so that nothing depends on the two being mirror images. What is shared by
  // both threads stands for the one at hand.
  std::vector<Term> head, base, step;
  for (int t = 0; t < 2; ++t) {
    const Term claim = made(t);
    smt::Substitution entry, back;
    for (const Carried& carried : loop.carried) {
      for (const Term own : carried.own) {
        entry[own.id] = carried.entry[t];
        back[own.id] = carried.back[t];
      }
    }
    head.push_back(c.implies(loop.entered[t], claim));
    base.push_back(c.implies(loop.present[t], c.substitute(claim, entry)));
    step.push_back(
        c.implies(c.conjunction(loop.active[t], loop.back[t]), c.substitute(claim, back)));
  }
  one.head = c.conjunction(head);
  one.base = c.conjunction(base);
  one.step = c.conjunction(step);
  add(std::move(one));
}

void Scene::relation(const std::string& rule, const std::string& text, int weight, Term claim) {
  Candidate one;
  one.rule = rule;
  one.text = text;
  one.weight = weight;
  one.head = c.implies(loop.any_present, claim);
  one.base = c.implies(loop.any_present, c.substitute(claim, loop.at_entry));
  const Term goes_on = c.disjunction(c.conjunction(loop.active[0], loop.back[0]),
                                     c.conjunction(loop.active[1], loop.back[1]));
  one.step = c.implies(goes_on, c.substitute(claim, loop.at_step));
  add(std::move(one));
}

void Scene::of_site(const std::string& rule, const std::string& text, int weight, const Site& site,
                    Term claim) {
  Candidate one;
  one.of_log = true;
  one.rule = rule;
  one.text = text;
  one.weight = weight;
  const auto inside = [this](int which) {
    while (which != kNoLoop && which != loop.loop) {
      which = flow.loops[static_cast<std::size_t>(which)].parent;
    }
    return which == loop.loop;
  };
  one.head = c.implies(c.conjunction(loop.present[0], site.occurred), claim);
  one.base = c.truth(true);  // no round yet
  std::vector<Term> steps;
  for (const Access& a : loop.log_step) {
    if (a.site != site.site || a.region != site.region) continue;
    if (a.summary_of >= 0 && !inside(a.summary_of)) continue;
    smt::Substitution by = loop.at_step;
    by[site.offset.id] = a.offset;
    if (site.value && a.value) by[site.value->id] = *a.value;
    if (!c.is_constant(site.bytes)) by[site.bytes.id] = a.bytes;
    for (std::size_t k = 0; k < site.locks.size(); ++k) {
      by[site.locks[k].held.id] = a.locks[k].held;
      by[site.locks[k].place.id] = a.locks[k].place;
    }
    steps.push_back(c.implies(a.when, c.substitute(claim, by)));
  }
  const Term goes_on = c.disjunction(c.conjunction(loop.active[0], loop.back[0]),
                                     c.conjunction(loop.active[1], loop.back[1]));
  one.step = c.implies(goes_on, c.conjunction(steps));
  add(std::move(one));
}

void Scene::of_log(const std::string& rule, const std::string& text,
                   const std::function<Term(const std::vector<Access>&)>& made) {
  Candidate one;
  one.of_log = true;
  one.rule = rule;
  one.text = text;
  one.head = c.implies(loop.any_present, made(loop.log_head));
  one.base = c.implies(loop.any_present, made(loop.log_base));
  const Term goes_on = c.disjunction(c.conjunction(loop.active[0], loop.back[0]),
                                     c.conjunction(loop.active[1], loop.back[1]));
  one.step = c.implies(goes_on, made(loop.log_step));
  add(std::move(one));
}

void Scene::of_pending(const std::string& rule, const std::string& text, int weight,
                       const std::function<bool(const Access&)>& is, Term claim) {
  const auto over = [&](const std::vector<Access>& log, const smt::Substitution* by) {
    const Term now = by == nullptr ? claim : c.substitute(claim, *by);
    std::vector<Term> all;
    for (const Access& a : log) {
      if (is(a)) all.push_back(c.implies(a.when, now));
    }
    return c.conjunction(all);
  };
  Candidate one;
  one.of_log = true;
  one.rule = rule;
  one.text = text;
  one.weight = weight;
  one.head = c.implies(loop.any_present, over(loop.log_head, nullptr));
  one.base = c.implies(loop.any_present, over(loop.log_base, &loop.at_entry));
  const Term goes_on = c.disjunction(c.conjunction(loop.active[0], loop.back[0]),
                                     c.conjunction(loop.active[1], loop.back[1]));
  one.step = c.implies(goes_on, over(loop.log_step, &loop.at_step));
  add(std::move(one));
}

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = {
      {"r10", "a counter is where it started, modulo its stride", counter_is_strided},
      {"r1", "logged offsets are strided as accesses are", accessed_offsets},
      {"r12", "nothing read is pending at the head", no_read},
      {"r0", "logged offsets, taken apart, give the ids of their thread", access_break},
      {"r13", "nothing written is pending at the head", no_write},
      {"r7", "counters have moved equally far in both threads", guard_minus_initial},
      {"r9", "a counter is on its side of its start and of its bound", loop_bound},
      {"r14", "a number doubled or halved is 0 or a power of two", power_of_two},
      {"r17", "what doubles times what halves stays the same", relational_powers},
      {"r2", "logged offsets are not below the block's part", bounds_of_block},
      {"r3", "logged offsets are not above the block's part", nullptr},
      {"r4", "an access happens only where its guards hold", access_under_guards},
      {"r8", "a counter is not negative", guard_not_negative},
      {"r11", "threads stay in the loop together", loop_predicate_equality},
      {"r15", "a number doubled or halved is not 0", power_not_zero},
      {"r16", "values are the same in both threads", predicated_equality},
      {"r5", "threads are in the loop as its condition says", conditions_imply_enabled},
      {"r6", "threads that are not in the loop keep their logs", disabled_keeps_log},
      {"r18", "in lockstep nothing is pending in a subgroup", same_subgroup_no_access},
      {"value", "all that is written is one value", written_value},
      {"round", "what is pending is of the last round", previous_round},
      {"first", "what is pending from before the loop is so in the first round", first_round},
      {"ends", "the ends of a search stay between where they started", search_ends},
      {"together", "counters have moved equally often", counters_together},
      {"kept", "variables that change places keep their values", exchanged_values},
      {"lock", "what is done in a round is done under its locks", held_locks},
      {"affine", "accesses that sets of integers hold apart; a candidate is a pair", nullptr},
  };
  return rules;
}

void suggest(smt::Context& context, Encoding& encoding, const Flow& flow, const Options& options,
             bool of_logs) {
  std::vector<std::unique_ptr<Scene>> scenes;
  std::map<Term, std::int64_t> strides;
  for (const LoopState& loop : encoding.loops) {
    if (loop.unrolled) continue;
    scenes.push_back(std::make_unique<Scene>(context, encoding, loop, flow));
    strides.merge(scenes.back()->strides());
  }
  for (const auto& scene_of : scenes) {
    Scene& scene = *scene_of;
    scene.know(strides);
    for (const Rule& rule : all_rules()) {
      if (rule.apply != nullptr) rule.apply(scene);
    }
    for (Candidate& one : scene.take()) {
      if (options.left_out.contains(one.rule) || (one.of_log && !of_logs)) continue;
      encoding.conditions.candidates.push_back(std::move(one));
    }
  }
}

}  // namespace headway::verify::rules
