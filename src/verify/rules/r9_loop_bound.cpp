#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

namespace {

// Comparisons that a way out of the loop depends on.
void comparisons(const smt::Context& c, Term t, int depth, std::vector<Term>& found) {
  const smt::Node& n = c.node(t);
  switch (n.kind) {
    case smt::Kind::ult:
    case smt::Kind::slt:
    case smt::Kind::equal:
      found.push_back(t);
      return;
    case smt::Kind::negation:
    case smt::Kind::conjunction:
    case smt::Kind::disjunction:
      if (depth == 0) return;
      for (const Term a : n.args) comparisons(c, a, depth - 1, found);
      return;
    default:
      return;
  }
}

}  // namespace

void loop_bound(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Induction& i : scene.inductions) {
    const Carried& one = scene.loop.carried[i.carried];
    if (c.width(one.own[0]) < 8 || one.selects || i.kind == Induction::Kind::other) continue;
    const std::string name = c.text(one.own[0]);
    const bool up = i.kind == Induction::Kind::doubled || !i.stride || *i.stride > 0;
    const bool down = i.kind == Induction::Kind::halved || !i.stride || *i.stride < 0;
    const auto order = [&](bool is_signed, bool rising) {
      scene.unary("r9", name + (rising ? " is not below its start" : " is not above its start"), 1,
                  [&](int t) {
                    const Term e = one.entry[t], v = one.variable[t];
                    if (is_signed) return rising ? c.sle(e, v) : c.sle(v, e);
                    return rising ? c.ule(e, v) : c.ule(v, e);
                  });
    };
    if (up && i.kind != Induction::Kind::halved) {
      order(true, true);
      order(false, true);
    }
    if (down && i.kind != Induction::Kind::doubled) {
      order(true, false);
      order(false, false);
    }
  }
  // What is compared to leave the loop stays on its side, or comes just to the bound.
  for (const auto& condition : scene.loop.exit_conditions) {
    std::vector<Term> atoms[2];
    for (std::size_t t = 0; t < 2; ++t) comparisons(c, condition[t], 3, atoms[t]);
    if (atoms[0].size() != atoms[1].size()) continue;
    for (std::size_t k = 0; k < atoms[0].size(); ++k) {
      const smt::Node &n = c.node(atoms[0][k]), &m = c.node(atoms[1][k]);
      if (n.kind != m.kind || c.width(n.args[0]) == 0 || c.width(n.args[0]) != c.width(m.args[0])) {
        continue;
      }
      const bool left = scene.varies(n.args[0]), right = scene.varies(n.args[1]);
      if (left == right) continue;
      const std::size_t at = left ? 0 : 1;
      bool of_head = true;
      for (const Term leaf : c.leaves(n.args[at])) {
        of_head = of_head && (!scene.varies(leaf) || scene.induction_of(leaf) != nullptr);
      }
      if (!of_head) continue;
      const auto claim = [&](const char* text, auto made) {
        scene.unary("r9", text, 1, [&](int t) {
          const smt::Node& of = c.node(atoms[t][k]);
          return made(of.args[at], of.args[1 - at]);
        });
      };
      const int w = c.width(n.args[0]);
      claim("up to a bound", [&](Term v, Term bound) { return c.ule(v, bound); });
      claim("up to a bound", [&](Term v, Term bound) { return c.sle(v, bound); });
      claim("below a bound", [&](Term v, Term bound) { return c.ult(v, bound); });
      claim("below a bound", [&](Term v, Term bound) { return c.slt(v, bound); });
      claim("down to a bound", [&](Term v, Term bound) { return c.sle(bound, v); });
      claim("down to a bound", [&](Term v, Term bound) { return c.ule(bound, v); });
      claim("just below a bound",
            [&](Term v, Term bound) { return c.sle(c.sub(bound, c.constant(1, w)), v); });
      for (const Induction& i : scene.inductions) {
        if (!i.stride || *i.stride == 1 || *i.stride == -1) continue;
        if (c.width(scene.loop.carried[i.carried].own[0]) != w) continue;
        const Term by = c.constant(static_cast<std::uint64_t>(*i.stride), w);
        claim("less than a stride behind a bound",
              [&](Term v, Term bound) { return c.slt(v, c.add(bound, by)); });
        claim("less than a stride behind a bound",
              [&](Term v, Term bound) { return c.ult(v, c.add(bound, by)); });
      }
    }
  }
}

}  // namespace headway::verify::rules
