#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void power_not_zero(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Induction& i : scene.inductions) {
    if (i.kind != Induction::Kind::doubled && i.kind != Induction::Kind::halved) continue;
    const Carried& one = scene.loop.carried[i.carried];
    scene.unary("r15", c.text(one.own[0]) + " is not 0", 1,
                [&](int t) { return c.nonzero(one.variable[t]); });
  }
}

}  // namespace headway::verify::rules
