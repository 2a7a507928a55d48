#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void loop_predicate_equality(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  const Term both = c.conjunction(scene.loop.present[0], scene.loop.present[1]);
  const Term same = c.equal(scene.loop.active[0], scene.loop.active[1]);
  scene.relation("r11", "threads stay in the loop together", 0, c.implies(both, same));
  scene.relation("r11", "threads of a workgroup stay in the loop together", 0,
                 c.implies(c.conjunction(both, scene.encoding.same_group), same));
}

}  // namespace headway::verify::rules
