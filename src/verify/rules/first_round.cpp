#include <set>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// Where a barrier of the loop clears the log, what is pending from before the loop is pending in
// the first round alone: its counters are where they started.
void first_round(Scene& scene) {
  smt::Context& c = scene.c;
  if (!scene.loop.has_barrier) return;
  std::set<int> own, regions;
  for (const Site& site : scene.loop.sites) own.insert(site.site);
  for (const Access& a : scene.loop.log_base) regions.insert(a.region);
  for (const Induction& i : scene.inductions) {
    if (i.kind == Induction::Kind::other) continue;
    const Carried& one = scene.loop.carried[i.carried];
    const Term start = c.equal(one.variable[0], one.entry[0]);
    for (const int region : regions) {
      const auto before = [&](const Access& a) {
        return a.region == region && !own.contains(a.site);
      };
      scene.of_pending("first", c.text(one.own[0]) + " is at its start while that is pending", 1,
                       before, start);
      scene.of_pending("first", c.text(one.own[0]) + " is at its start while that is pending", 1,
                       before, c.implies(scene.encoding.same_group, start));
    }
  }
}

}  // namespace headway::verify::rules
