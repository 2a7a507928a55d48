#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void counter_is_strided(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Induction& i : scene.inductions) {
    if (i.kind != Induction::Kind::strided) continue;
    const Carried& one = scene.loop.carried[i.carried];
    const int w = c.width(one.own[0]);
    if (i.stride) {
      const auto by = static_cast<std::uint64_t>(*i.stride < 0 ? -*i.stride : *i.stride);
      if (by <= 1) continue;
      const bool upward = *i.stride > 0;
      scene.unary("r10", c.text(one.own[0]) + " is strided", smt::is_power_of_two(by) ? 1 : 4,
                  [&](int t) {
                    const Term moved = upward ? c.sub(one.variable[t], one.entry[t])
                                              : c.sub(one.entry[t], one.variable[t]);
                    return c.equal(c.urem(moved, c.constant(by, w)), c.constant(0, w));
                  });
    } else if (i.one_step) {
      scene.unary("r10", c.text(one.own[0]) + " is strided", 8, [&](int t) {
        return c.equal(c.urem(c.sub(one.variable[t], one.entry[t]), i.step[t]), c.constant(0, w));
      });
    }
  }
}

}  // namespace headway::verify::rules
