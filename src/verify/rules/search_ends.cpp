#include <algorithm>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// In a binary search both sides of a comparison to leave the loop move, by what data say.
void search_ends(Scene& scene) {
  smt::Context& c = scene.c;
  std::vector<Term> sides;
  for (const auto& condition : scene.loop.exit_conditions) {
    Term t = condition[0];
    while (c.node(t).kind == smt::Kind::negation) t = c.node(t).args[0];
    const smt::Node& n = c.node(t);
    if (n.kind != smt::Kind::ult && n.kind != smt::Kind::slt) continue;
    const std::vector<Term> leaves = c.leaves(t);
    sides.insert(sides.end(), leaves.begin(), leaves.end());
  }
  for (const Induction& i : scene.inductions) {
    const Carried& one = scene.loop.carried[i.carried];
    const bool compared = std::find(sides.begin(), sides.end(), one.own[0]) != sides.end();
    if (!compared || one.pointer || one.selects || i.kind != Induction::Kind::other) continue;
    const std::string name = c.text(one.own[0]);
    const auto claim = [&](const char* text, auto order) {
      scene.unary("ends", name + text, 1,
                  [&](int t) { return order(one.entry[t], one.variable[t]); });
    };
    claim(" is not below its start", [&](Term e, Term v) { return c.sle(e, v); });
    claim(" is not above its start", [&](Term e, Term v) { return c.sle(v, e); });
    claim(" is not below its start", [&](Term e, Term v) { return c.ule(e, v); });
    claim(" is not above its start", [&](Term e, Term v) { return c.ule(v, e); });
  }
}

}  // namespace headway::verify::rules
