#include "consistency/witness.hpp"

namespace headway::consistency {

Witness witness_of(const Execution& execution, const Relation& reads_from,
                   const Relation& coherence) {
  const Program& program = execution.program();
  Witness witness;
  witness.ends.assign(program.threads.size(), Witness::End::ends);
  witness.events.reserve(execution.events().size());
  for (const Event& event : execution.events()) {
    Witness::Event shown;
    shown.thread = event.thread;
    if (event.of != nullptr) {
      shown.line = event.of->of->line;
      shown.instruction = event.of->of->text;
    }
    if (event.location >= 0) {
      shown.location = program.locations[static_cast<std::size_t>(event.location)].name;
    }
    if (event.reads) shown.read = event.read;
    if (event.writes) shown.written = event.written;
    witness.events.push_back(std::move(shown));
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Instruction* error = execution.trace(t).error;
    if (error == nullptr) continue;
    witness.ends[t] = Witness::End::goes_wrong;
    witness.events.push_back({.thread = static_cast<int>(t),
                              .line = error->line,
                              .instruction = error->text,
                              .fault = error->fault});
  }
  for (int a = 0; a < execution.size(); ++a) {
    for_events(reads_from.from(a),
               [&](int reader) { witness.events[static_cast<std::size_t>(reader)].from = a; });
  }
  const Relation next = coherence - coherence.then(coherence);
  for (int a = 0; a < execution.size(); ++a) {
    for_events(next.from(a), [&](int b) { witness.coherence.emplace_back(a, b); });
  }
  return witness;
}

}  // namespace headway::consistency
