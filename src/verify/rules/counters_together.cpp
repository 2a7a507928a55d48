#include "verify/rules/scene.hpp"

namespace headway::verify::rules {
namespace {

std::int64_t size_of(std::int64_t stride) { return stride < 0 ? -stride : stride; }

}  // namespace

// Of counters that move once in each round, each has moved as far as the slowest one, times as
// fast: what bounds the one that is compared to leave the loop bounds them all.
void counters_together(Scene& scene) {
  smt::Context& c = scene.c;
  const auto moves = [](const Induction& i) {
    return i.kind == Induction::Kind::strided && i.one_step && i.stride;
  };
  const Induction* slowest = nullptr;
  for (const Induction& i : scene.inductions) {
    const bool slower =
        moves(i) && (slowest == nullptr || size_of(*i.stride) < size_of(*slowest->stride));
    if (slower) slowest = &i;
  }
  if (slowest == nullptr) return;
  const Carried& by = scene.loop.carried[slowest->carried];
  for (const Induction& i : scene.inductions) {
    if (&i == slowest || !moves(i) || *i.stride % *slowest->stride != 0) continue;
    const Carried& one = scene.loop.carried[i.carried];
    const int w = c.width(one.own[0]);
    scene.unary("together", c.text(one.own[0]) + " has moved with " + c.text(by.own[0]), 2,
                [&](int t) {
                  const Term rounds = c.sub(by.variable[t], by.entry[t]);
                  const Term wide = w <= c.width(rounds) ? c.resize(rounds, w) : c.sext(rounds, w);
                  return c.equal(c.sub(one.variable[t], one.entry[t]),
                                 c.scale(wide, *i.stride / *slowest->stride));
                });
  }
}

}  // namespace headway::verify::rules
