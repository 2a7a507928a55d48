#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void predicated_equality(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  const Term both = c.conjunction(scene.loop.active[0], scene.loop.active[1]);
  for (const Carried& one : scene.loop.carried) {
    if (one.variable[0] == one.variable[1] || one.uniform == Uniform::grid) continue;
    const Term same = c.equal(one.variable[0], one.variable[1]);
    const std::string text = c.text(one.own[0]) + " is the same in both threads";
    scene.relation("r16", text, 1, c.implies(both, same));
    scene.relation("r16", text, 1, c.implies(c.conjunction(both, scene.encoding.same_group), same));
  }
}

}  // namespace headway::verify::rules
