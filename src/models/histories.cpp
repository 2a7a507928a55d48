#include "models/histories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/bits/state_table.hpp"
#include "base/graph/scc_search.hpp"
#include "models/scoped.hpp"

namespace headway::models {

Histories::Histories(const Topology& topology, std::vector<const Model*> models, bool may_block)
    : models_(std::move(models)) {
  const int threads = topology.threads();
  // Only the models whose F has a memory make two equal histories different.
  std::vector<std::size_t> remembering;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    if (!models_[m]->history_determined()) remembering.push_back(m);
  }
  const bool look = std::any_of(models_.begin(), models_.end(),
                                [](const Model* model) { return model->looks_at_instructions(); });
  const std::vector<Instruction> instructions =
      look ? std::vector<Instruction>(kInstructions.begin(), kInstructions.end())
           : std::vector<Instruction>(1);
  const std::size_t words = History::Key().size();
  constexpr std::size_t set_words = GroupSet::Key().size();
  StateTable table(words + set_words * remembering.size());
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> key(words + set_words * remembering.size());
  std::vector<GroupSet> selected(models_.size());
  Edges edges;

  const auto reach = [&](const History& history, std::uint32_t parent, const Event& event) {
    const History::Key of_history = history.key();
    std::copy(of_history.begin(), of_history.end(), key.begin());
    for (std::size_t i = 0; i < remembering.size(); ++i) {
      const GroupSet::Key set = selected[remembering[i]].key();
      std::copy(set.begin(), set.end(),
                key.begin() + static_cast<std::ptrdiff_t>(words + set_words * i));
    }
    const std::uint32_t index = table.find_or_add(key.data(), keys);
    if (index == nodes_.size()) {
      nodes_.push_back({history, parent, event});
      selected_.insert(selected_.end(), selected.begin(), selected.end());
    }
    return index;
  };

  // Calls visit(history) with each set of threads blocked that `history` may have.
  const auto with_blocked = [&](History history, const auto& visit) {
    const ThreadSet::Bits alive = may_block ? history.alive(threads).bits() : 0;
    for (ThreadSet::Bits bits = 0;; bits = (bits - alive) & alive) {
      history.blocked = ThreadSet::of_bits(bits);
      visit(history);
      if (bits == alive) return;
    }
  };
  with_blocked({}, [&](const History& first) {
    for (std::size_t m = 0; m < models_.size(); ++m) {
      selected[m] = first_selection(*models_[m], topology, first);
    }
    reach(first, 0, {-1, false});
  });
  for (std::uint32_t source = 0; source < nodes_.size(); ++source) {
    const History before = nodes_[source].history;
    for (int thread : before.ready(threads)) {
      for (const bool terminates : {false, true}) {
        for (const Instruction& instruction : instructions) {
          const Event event{thread, terminates, instruction};
          with_blocked(after(before, event), [&](const History& next) {
            for (std::size_t m = 0; m < models_.size(); ++m) {
              selected[m] =
                  next_selection(*models_[m], topology, this->selected(source, m), event, next);
            }
            edges.emplace_back(source, reach(next, source, event));
          });
        }
      }
    }
  }
  find_recurring(edges);
}

void Histories::find_recurring(const Edges& edges) {
  std::vector<std::vector<std::uint32_t>> successors(nodes_.size());
  for (const auto& [from, to] : edges) successors[from].push_back(to);
  StrongComponents components = strong_components(successors);
  component_ = std::move(components.of);
  std::vector<bool> cyclic(components.count);
  for (const auto& [from, to] : edges) {
    if (component_[from] == component_[to]) cyclic[component_[from]] = true;
  }
  recurs_.resize(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) recurs_[n] = cyclic[component_[n]];
}

std::vector<std::vector<std::uint32_t>> Histories::recurring_components() const {
  std::vector<std::vector<std::uint32_t>> result;
  std::map<std::uint32_t, std::size_t> place;  // in `result`
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (!recurs_[n]) continue;
    const auto found = place.emplace(component_[n], result.size());
    if (found.second) result.emplace_back();
    result[found.first->second].push_back(n);
  }
  return result;
}

std::vector<Event> Histories::path(std::size_t index) const {
  std::vector<Event> events;
  for (; nodes_[index].event.thread >= 0; index = nodes_[index].parent) {
    events.push_back(nodes_[index].event);
  }
  std::reverse(events.begin(), events.end());
  return events;
}

std::string describe_step(const Instruction& instruction) {
  const std::string loops = instruction.loops ? " in a loop" : "";
  switch (instruction.access) {
    case Instruction::Access::none:
      return "steps";
    case Instruction::Access::load:
      return "loads" + loops;
    case Instruction::Access::store:
      return "stores";
    case Instruction::Access::exchange:
      return "exchanges" + loops;
  }
  return {};
}

std::string describe_events(const std::vector<Event>& events) {
  if (events.empty()) return "nothing has happened yet";
  std::string text;
  for (const Event& event : events) {
    text +=
        fmt::format("{}thread {} {}{}", text.empty() ? "" : "; ", event.thread,
                    describe_step(event.instruction), event.terminates ? " and terminates" : "");
  }
  return text;
}

}  // namespace headway::models
