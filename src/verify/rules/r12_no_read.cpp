#include <set>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void no_read(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  std::set<int> regions;
  for (const Access& a : scene.loop.log_head) regions.insert(a.region);
  for (const int region : regions) {
    const auto nothing = [&](const std::vector<Access>& log) {
      std::vector<Term> all;
      for (const Access& a : log) {
        if (a.region != region || a.kind != AccessKind::read) continue;
        all.push_back(c.negation(a.when));
      }
      return c.conjunction(all);
    };
    scene.of_log("r12", "nothing read is pending", nothing);
    scene.of_log("r12", "nothing read is pending in the workgroup", [&](const auto& log) {
      return c.implies(scene.encoding.same_group, nothing(log));
    });
  }
}

}  // namespace headway::verify::rules
