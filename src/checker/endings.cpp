#include "checker/endings.hpp"

namespace headway::checker {

std::optional<Endings> endings_of(const lang::Program& program, ExploreOptions options) {
  using Ending = lang::Program::Ending;
  Explorer explorer;
  options.track_started = false;
  const Lts* lts = explorer.explore(program, options);
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
