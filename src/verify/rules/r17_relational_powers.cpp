#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// One number doubles and another halves: their product stays what it was, until the one that
// halves is 0.
void relational_powers(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Induction& up : scene.inductions) {
    if (up.kind != Induction::Kind::doubled) continue;
    for (const Induction& down : scene.inductions) {
      if (down.kind != Induction::Kind::halved) continue;
      const Carried &a = scene.loop.carried[up.carried], &b = scene.loop.carried[down.carried];
      const int w = c.width(a.own[0]);
      if (w != c.width(b.own[0])) continue;
      const std::string text = c.text(a.own[0]) + " times " + c.text(b.own[0]) + " stays the same";
      // By cases over the few values that they have.
      const auto cases = [&](int t) -> Term {
        if (!c.is_constant(a.entry[t]) || !c.is_constant(b.entry[t])) {
          const Term whole = c.mul(a.entry[t], b.entry[t]);
          return c.disjunction(c.equal(c.mul(a.variable[t], b.variable[t]), whole),
                               c.conjunction(c.equal(b.variable[t], c.constant(0, w)),
                                             c.equal(a.variable[t], c.scale(whole, 2))));
        }
        std::vector<Term> all;
        std::uint64_t x = c.value(a.entry[t]), y = c.value(b.entry[t]);
        for (int k = 0; k <= w; ++k) {
          all.push_back(c.conjunction(c.equal(a.variable[t], c.constant(x, w)),
                                      c.equal(b.variable[t], c.constant(y, w))));
          if (y == 0) break;
          x *= 2;
          y /= 2;
        }
        return c.disjunction(all);
      };
      scene.unary("r17", text, 5, cases);
      // What doubles may go on when the other one is 0.
      scene.unary("r17", text + " until the latter is 0", 5, [&](int t) {
        return c.disjunction(cases(t), c.equal(b.variable[t], c.constant(0, w)));
      });
    }
  }
}

}  // namespace headway::verify::rules
