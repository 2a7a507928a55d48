#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// Variables that only change places keep what they started with, and stay apart (the golden case of
// Houdini; two buffers that take turns).
void exchanged_values(Scene& scene) {
  smt::Context& c = scene.c;
  std::vector<const Carried*> some;
  for (const Induction& i : scene.inductions) {
    const Carried& one = scene.loop.carried[i.carried];
    if (i.kind != Induction::Kind::other || c.width(one.own[0]) == 0) continue;
    const std::string name = c.text(one.own[0]);
    scene.unary("kept", name + " is what it was at first", 0,
                [&](int t) { return c.equal(one.variable[t], one.entry[t]); });
    if (c.is_constant(one.entry[0]) && c.is_constant(one.entry[1])) some.push_back(&one);
  }
  for (const Carried* one : some) {
    const std::string name = c.text(one->own[0]);
    scene.unary("kept", name + " is 0 or 1", 1, [&](int t) {
      return c.ule(one->variable[t], c.constant(1, c.width(one->own[0])));
    });
  }
  if (some.size() > 6) return;
  for (std::size_t a = 0; a < some.size(); ++a) {
    for (std::size_t b = a + 1; b < some.size(); ++b) {
      if (c.width(some[a]->own[0]) != c.width(some[b]->own[0])) continue;
      const Carried &x = *some[a], &y = *some[b];
      scene.unary("kept", c.text(x.own[0]) + " and " + c.text(y.own[0]) + " differ", 1,
                  [&](int t) { return c.differ(x.variable[t], y.variable[t]); });
      scene.unary("kept", c.text(x.own[0]) + " is one of two values", 1, [&](int t) {
        return c.disjunction(c.equal(x.variable[t], x.entry[t]),
                             c.equal(x.variable[t], y.entry[t]));
      });
      scene.unary("kept", c.text(y.own[0]) + " is one of two values", 1, [&](int t) {
        return c.disjunction(c.equal(y.variable[t], x.entry[t]),
                             c.equal(y.variable[t], y.entry[t]));
      });
    }
  }
}

}  // namespace headway::verify::rules
