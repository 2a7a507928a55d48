#include <fmt/format.h>

#include <algorithm>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// Where a barrier of the loop orders all but the last round, what is pending at the head is what
// that round did: its offset, and its guards, with variables as they were one round ago.
void previous_round(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  smt::Substitution back;
  for (const Induction& i : scene.inductions) {
    const Carried& one = scene.loop.carried[i.carried];
    const Term v = one.own[0];
    const int w = c.width(v);
    if (i.kind == Induction::Kind::doubled) {
      back[v.id] = c.lshr(v, c.constant(1, w));
    } else if (i.kind == Induction::Kind::halved) {
      back[v.id] = c.ite(c.equal(v, c.constant(0, w)), c.constant(1, w), c.scale(v, 2));
    } else if (i.kind == Induction::Kind::strided && i.one_step && !scene.varies(i.step[0])) {
      back[v.id] = c.sub(v, i.step[0]);
    }
  }
  // What takes turns, as `now = 1 - now` or two that change places, was what it will be.
  for (const Carried& one : scene.loop.carried) {
    const Term v = one.own[0], next = one.back[0];
    if (back.contains(v.id) || next == v) continue;
    const std::vector<Term> leaves = c.leaves(next);
    const bool alone = std::all_of(leaves.begin(), leaves.end(),
                                   [&](Term leaf) { return leaf == v || !scene.varies(leaf); });
    if (alone || c.substitute(next, scene.loop.at_step) == v) back[v.id] = next;
  }
  const auto known = [&](Term t) {
    for (const Term leaf : c.leaves(t)) {
      if (scene.varies(leaf) && !back.contains(leaf.id)) return false;
    }
    return true;
  };
  for (const Site& site : scene.loop.sites) {
    for (const Access& access : site.now) {
      const std::string where = fmt::format("the access at line {}", access.place.line);
      if (scene.varies(access.offset) && known(access.offset)) {
        scene.of_site("round", where + " that is pending is of the last round", 2, site,
                      c.equal(site.offset, c.substitute(access.offset, back)));
      }
      const smt::Node& when = c.node(access.when);
      std::vector<Term> guards{access.when};
      if (when.kind == smt::Kind::conjunction) guards = when.args;
      for (const Term guard : guards) {
        if (!scene.varies(guard) || !known(guard)) continue;
        scene.of_site("round", where + " that is pending was under its guards", 1, site,
                      c.substitute(guard, back));
      }
    }
  }
}

}  // namespace headway::verify::rules
