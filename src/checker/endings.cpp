#include "checker/endings.hpp"

namespace headway::checker {

std::optional<Endings> endings_of(const lang::Program& program, const CheckOptions& options) {
  using Ending = lang::Program::Ending;
  Explorer explorer;
  ExploreOptions explore;
  explore.track_started = false;
  explore.max_states = options.max_states;
  explore.signs = options.signs();
  const Lts* lts = explorer.explore(program, explore);
  if (lts == nullptr) return std::nullopt;
  const ThreadSet all = ThreadSet::first(program.threads());
  Endings result;
  for (StateId state = 0; state < lts->states(); ++state) {
    if (program.terminated(lts->words(state)) != all) continue;
    const Ending ending = program.ending(lts->words(state));
    result.real = result.real || ending == Ending::real;
    result.dropped = result.dropped || ending == Ending::dropped;
    result.beyond = result.beyond || ending == Ending::beyond;
  }
  return result;
}

}  // namespace headway::checker
