#include <fmt/format.h>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// r2 and r3: C * id <= offset < C * (id + 1), for each id with a factor C in the offset; and the
// part that the thread has been through so far.
void bounds_of_block(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Site& site : scene.loop.sites) {
    for (const Access& access : site.now) {
      if (!scene.varies(access.offset)) continue;
      const std::string where = fmt::format("the access at line {}", access.place.line);
      const View view = scene.view(access.offset);
      for (const auto& [part, factor] : view.parts) {
        if (scene.varies(part) || factor <= static_cast<std::int64_t>(1)) continue;
        // All that is at least as large as this one's factor.
        Term low = c.constant(0, 64);
        for (const auto& [other, f] : view.parts) {
          if (f < factor) continue;
          if (scene.varies(other)) {
            low = c.constant(0, 64);
            break;
          }
          low = c.add(low, c.scale(scene.wide(other), static_cast<std::uint64_t>(f)));
        }
        if (c.is_constant(low)) continue;
        const Term high = c.add(low, c.constant(static_cast<std::uint64_t>(factor), 64));
        scene.of_site("r2", where + " is not below its part", 2, site, c.ule(low, site.offset));
        scene.of_site("r3", where + " is not above its part", 2, site, c.ult(site.offset, high));
      }
      // Only what the head's variables decide has a place before and after it.
      const Term start = scene.start(access.offset);
      bool inner = false;
      for (const Term leaf : c.leaves(access.offset)) {
        inner = inner || (scene.varies(leaf) && scene.induction_of(leaf) == nullptr);
      }
      scene.of_site("r2", where + " is not before its first one", 3, site,
                    c.ule(start, site.offset));
      if (inner) continue;
      const Term now = access.offset;
      scene.of_site("r3", where + " is before where the thread is", 3, site,
                    c.ult(site.offset, now));
      scene.of_site("r3", where + " is before where the thread is", 3, site,
                    c.implies(scene.loop.active[0], c.ult(site.offset, now)));
      scene.of_site("r3", where + " is not behind where the thread is", 3, site,
                    c.ule(site.offset, now));
      scene.of_site("r2", where + " is behind where the thread is", 3, site,
                    c.ult(now, site.offset));
      scene.of_site("r3", where + " is not behind its first one", 3, site,
                    c.ule(site.offset, start));
    }
  }
}

}  // namespace headway::verify::rules
