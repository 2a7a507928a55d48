#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// Threads of a subgroup that execute each instruction together are done with it before the next
// one: nothing is pending between them.
void same_subgroup_no_access(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.encoding.lockstep) return;
  scene.of_log("r18", "nothing is pending in the subgroup", [&](const auto& log) {
    std::vector<Term> all;
    for (const Access& a : log) {
      if (!a.async) all.push_back(c.negation(a.when));
    }
    return c.implies(scene.encoding.same_subgroup, c.conjunction(all));
  });
}

}  // namespace headway::verify::rules
