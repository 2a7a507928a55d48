#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

// Who is still in the loop, by the condition to stay: a thread that has left keeps the variables of
// its last round. Either direction, and either outcome of the condition.
void conditions_imply_enabled(Scene& scene) {
  smt::Context& c = scene.c;
  const LoopState& loop = scene.loop;
  if (loop.uniform == Uniform::grid) return;  // nobody leaves alone
  for (const auto& exit : loop.exit_conditions) {
    for (const bool stays : {true, false}) {
      Term in[2], out[2];
      for (int t = 0; t < 2; ++t) {
        const Term condition = exit[static_cast<std::size_t>(t)];
        const Term stay = stays ? condition : c.negation(condition);
        in[t] = c.implies(c.conjunction(loop.present[t], stay), loop.active_own[t]);
        out[t] = c.implies(loop.active[t], stay);
      }
      scene.relation("r5", "who satisfies its condition is in the loop", 1,
                     c.conjunction(in[0], in[1]));
      scene.relation("r5", "who is in the loop satisfies its condition", 1,
                     c.conjunction(out[0], out[1]));
    }
  }
}

}  // namespace headway::verify::rules
