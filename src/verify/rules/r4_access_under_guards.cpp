#include <fmt/format.h>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void access_under_guards(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Site& site : scene.loop.sites) {
    for (const Access& access : site.now) {
      const smt::Node& when = c.node(access.when);
      std::vector<Term> guards{access.when};
      if (when.kind == smt::Kind::conjunction) guards = when.args;
      for (const Term guard : guards) {
        // One that varies held when the loop was entered, if it held later.
        const Term held = scene.varies(guard) ? scene.start(guard) : guard;
        if (scene.varies(held)) continue;
        scene.of_site("r4",
                      fmt::format("the access at line {} is under its guards", access.place.line),
                      0, site, held);
      }
    }
  }
}

}  // namespace headway::verify::rules
