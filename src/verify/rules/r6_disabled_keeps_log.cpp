#include <algorithm>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// The log of a thread that does not come to the loop is what it was before: barriers in the loop
// clear what those threads did that come to them.
void disabled_keeps_log(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  const Term away = c.negation(scene.loop.present[0]);
  scene.of_log("r6", "a thread that is not in the loop keeps its log", [&](const auto& log) {
    std::vector<Term> all;
    for (const Access& before : scene.loop.log_base) {
      const auto same = [&](const Access& a) {
        return a.site == before.site && a.region == before.region && a.kind == before.kind &&
               a.offset == before.offset && a.summary_of == before.summary_of;
      };
      const auto now = std::find_if(log.begin(), log.end(), same);
      all.push_back(c.implies(c.conjunction(away, before.when),
                              now == log.end() ? c.truth(false) : now->when));
    }
    return c.conjunction(all);
  });
}

}  // namespace headway::verify::rules
