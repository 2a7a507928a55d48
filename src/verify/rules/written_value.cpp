#include <fmt/format.h>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void written_value(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Site& site : scene.loop.sites) {
    if (!site.value) continue;
    for (const Access& access : site.now) {
      if (!access.value || scene.varies(*access.value)) continue;
      if (c.width(*access.value) != c.width(*site.value)) continue;
      scene.of_site("value",
                    fmt::format("all that is written at line {} is one value", access.place.line),
                    0, site, c.equal(*site.value, *access.value));
    }
  }
}

}  // namespace headway::verify::rules
