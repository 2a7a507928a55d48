#include "models/histories.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits/state_table.hpp"
#include "base/graph/scc_search.hpp"

namespace headway::models {

Histories::Histories(int threads, std::vector<const Model*> models) : models_(std::move(models)) {
  // Only the models whose F has a memory make two equal histories different.
  std::vector<std::size_t> remembering;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    if (!models_[m]->history_determined()) remembering.push_back(m);
  }
  const std::size_t words = History::Key().size();
  StateTable table(words + remembering.size());
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> key(words + remembering.size());
  std::vector<ThreadSet> fair(models_.size());
  Edges edges;

  const auto reach = [&](const History& history, std::uint32_t parent, const Event& event) {
    const History::Key of_history = history.key();
    std::copy(of_history.begin(), of_history.end(), key.begin());
    for (std::size_t i = 0; i < remembering.size(); ++i) {
      key[words + i] = fair[remembering[i]].bits();
    }
    const std::uint32_t index = table.find_or_add(key.data(), keys);
    if (index == nodes_.size()) {
      nodes_.push_back({history, parent, event});
      fair_.insert(fair_.end(), fair.begin(), fair.end());
    }
    return index;
  };

  for (std::size_t m = 0; m < models_.size(); ++m) fair[m] = models_[m]->initial(threads);
  reach({}, 0, {});
  for (std::uint32_t source = 0; source < nodes_.size(); ++source) {
    const History before = nodes_[source].history;
    for (int thread : before.alive(threads)) {
      for (const bool terminates : {false, true}) {
        const Event event{thread, terminates};
        const History next = after(before, event);
        for (std::size_t m = 0; m < models_.size(); ++m) {
          fair[m] = models_[m]->next(threads, this->fair(source, m), event, next);
        }
        edges.emplace_back(source, reach(next, source, event));
      }
    }
  }
  find_recurring(edges);
}

void Histories::find_recurring(const Edges& edges) {
  std::vector<std::vector<std::uint32_t>> successors(nodes_.size());
  for (const auto& [from, to] : edges) successors[from].push_back(to);
  const StrongComponents components = strong_components(successors);
  const std::vector<std::uint32_t>& component = components.of;
  std::vector<bool> cyclic(components.count);
  for (const auto& [from, to] : edges) {
    if (component[from] == component[to]) cyclic[component[from]] = true;
  }
  recurs_.resize(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) recurs_[n] = cyclic[component[n]];
}

std::vector<Event> Histories::path(std::size_t index) const {
  std::vector<Event> events;
  for (; index != 0; index = nodes_[index].parent) events.push_back(nodes_[index].event);
  std::reverse(events.begin(), events.end());
  return events;
}

std::string describe_events(const std::vector<Event>& events) {
  if (events.empty()) return "nothing has happened yet";
  std::string text;
  for (const Event& event : events) {
    text += fmt::format("{}thread {} steps{}", text.empty() ? "" : "; ", event.thread,
                        event.terminates ? " and terminates" : "");
  }
  return text;
}

}  // namespace headway::models
