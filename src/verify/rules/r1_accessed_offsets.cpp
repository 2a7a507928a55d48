#include <fmt/format.h>

#include <numeric>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

namespace {

// What all parts of an offset that vary are multiples of, beside where they start.
std::int64_t common_stride(const Scene& scene, const View& view) {
  std::int64_t common = 0;
  for (const auto& [part, factor] : view.parts) {
    if (!scene.varies(part)) continue;
    common = std::gcd(common, factor * scene.stride_of(part));
  }
  return common;
}

}  // namespace

void accessed_offsets(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Site& site : scene.loop.sites) {
    for (const Access& access : site.now) {
      const Term start = scene.start(access.offset);
      const auto stride =
          static_cast<std::uint64_t>(std::abs(common_stride(scene, scene.view(access.offset))));
      if (stride > 1) {
        scene.of_site(
            "r1",
            fmt::format("offsets of the access at line {} are its first one modulo {}",
                        access.place.line, stride),
            smt::is_power_of_two(stride) ? 2 : 6, site,
            c.equal(c.urem(c.sub(site.offset, start), c.constant(stride, 64)), c.constant(0, 64)));
      }
      // A stride of the launch, as that of a loop over the whole grid.
      for (const auto& [part, factor] : scene.view(access.offset).parts) {
        const Induction* i = scene.varies(part) ? scene.induction_of(part) : nullptr;
        if (i == nullptr || i->kind != Induction::Kind::strided || i->stride || !i->one_step) {
          continue;
        }
        const Term by = c.scale(scene.wide(i->step[0]), static_cast<std::uint64_t>(factor));
        scene.of_site("r1",
                      fmt::format("offsets of the access at line {} are its first one modulo its "
                                  "stride",
                                  access.place.line),
                      9, site, c.equal(c.urem(c.sub(site.offset, start), by), c.constant(0, 64)));
      }
      for (const auto& [part, factor] : scene.view(access.offset).parts) {
        const auto f = static_cast<std::uint64_t>(factor < 0 ? -factor : factor);
        if (!scene.varies(part) || f == stride || f <= 1) continue;
        scene.of_site(
            "r1",
            fmt::format("offsets of the access at line {} are its first one modulo {}",
                        access.place.line, f),
            smt::is_power_of_two(f) ? 2 : 6, site,
            c.equal(c.urem(c.sub(site.offset, start), c.constant(f, 64)), c.constant(0, 64)));
      }
    }
  }
}

}  // namespace headway::verify::rules
