#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void guard_minus_initial(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  const Term both = c.conjunction(scene.loop.active[0], scene.loop.active[1]);
  for (const Induction& i : scene.inductions) {
    const Carried& one = scene.loop.carried[i.carried];
    if (c.width(one.own[0]) == 0 || one.selects || one.uniform == Uniform::grid) continue;
    const Term same =
        c.equal(c.sub(one.variable[0], one.entry[0]), c.sub(one.variable[1], one.entry[1]));
    const std::string text = c.text(one.own[0]) + " has moved equally far in both threads";
    scene.relation("r7", text, 1, c.implies(both, same));
    scene.relation("r7", text, 1, c.implies(c.conjunction(both, scene.encoding.same_group), same));
  }
}

}  // namespace headway::verify::rules
