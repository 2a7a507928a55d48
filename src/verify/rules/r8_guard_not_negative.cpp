#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

void guard_not_negative(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Induction& i : scene.inductions) {
    const Carried& one = scene.loop.carried[i.carried];
    const int w = c.width(one.own[0]);
    if (w < 8 || one.pointer || one.selects || i.kind == Induction::Kind::other) continue;
    scene.unary("r8", "0 <= " + c.text(one.own[0]), 1,
                [&](int t) { return c.sle(c.constant(0, w), one.variable[t]); });
  }
}

}  // namespace headway::verify::rules
