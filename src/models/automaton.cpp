#include "models/automaton.hpp"

#include <cassert>
#include <map>
#include <tuple>

namespace headway::models {

Automaton tabulate(const Model& model, int threads) {
  assert(!model.looks_at_instructions());
  Automaton automaton;
  std::map<std::tuple<ThreadSet, ThreadSet, ThreadSet>, std::uint32_t> numbers;
  const auto reach = [&](const History& history, ThreadSet fair) {
    const auto next = static_cast<std::uint32_t>(automaton.nodes.size());
    const auto [entry, is_new] =
        numbers.try_emplace({history.started, history.terminated, fair}, next);
    if (is_new) automaton.nodes.push_back({history, fair});
    return entry->second;
  };
  reach({}, model.initial(threads));
  for (std::size_t source = 0; source < automaton.nodes.size(); ++source) {
    const Automaton::Node before = automaton.nodes[source];
    for (int thread = 0; thread < threads; ++thread) {
      for (const bool terminates : {false, true}) {
        std::uint32_t target = 0;
        if (!before.history.terminated.contains(thread)) {
          const Event event{thread, terminates};
          History history = after(before.history, event);
          if (!model.looks_at_started()) history.started = {};
          target = reach(history, model.next(threads, before.fair, event, history));
        }
        automaton.next.push_back(target);
      }
    }
  }
  return automaton;
}

}  // namespace headway::models
