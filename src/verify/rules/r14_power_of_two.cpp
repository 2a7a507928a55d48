#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void power_of_two(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Induction& i : scene.inductions) {
    if (i.kind != Induction::Kind::doubled && i.kind != Induction::Kind::halved) continue;
    const Carried& one = scene.loop.carried[i.carried];
    const int w = c.width(one.own[0]);
    scene.unary("r14", c.text(one.own[0]) + " is 0 or a power of two", 3, [&](int t) {
      const Term v = one.variable[t];
      return c.equal(c.bit_and(v, c.sub(v, c.constant(1, w))), c.constant(0, w));
    });
  }
}

}  // namespace headway::verify::rules
