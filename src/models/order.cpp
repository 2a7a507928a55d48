#include "models/order.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "models/histories.hpp"
#include "models/scoped.hpp"

namespace headway::models {

namespace {

bool any_looks_at_blocked(const std::vector<ModelPtr>& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const ModelPtr& model) { return model->looks_at_blocked(); });
}

// What a model guarantees after a history, and those of it that can step.
struct Promise {
  GroupSet guaranteed;
  GroupSet owed;
};

std::vector<Promise> promises_of(std::size_t model, const std::vector<std::uint32_t>& visited,
                                 const Histories& histories, const Topology& topology) {
  std::vector<Promise> result;
  result.reserve(visited.size());
  for (const std::uint32_t h : visited) {
    const GroupSet all = guaranteed(topology, histories.selected(h, model));
    const ThreadSet ready = histories.history(h).ready(topology.threads());
    result.push_back({all, all & groups_of(topology, ready)});
  }
  return result;
}

// The first place at which `more` owes what `less` does not guarantee.
std::size_t first_lack(const std::vector<Promise>& more, const std::vector<Promise>& less) {
  std::size_t at = 0;
  while (at < more.size() && less[at].guaranteed.includes(more[at].owed)) ++at;
  return at;
}

// The outermost group around one of `level`, it itself included, whose threads among `able` are all
// in it.
std::pair<Level, int> outermost(const Topology& topology, Level level, int group, ThreadSet able) {
  const ThreadSet inside = threads_of(topology, level, group);
  for (const Level outer : kLevels) {
    if (outer == level) break;
    if (!topology.has(outer)) continue;
    const int around = topology.group_of(outer, topology.first_thread(level, group));
    if (inside.includes(threads_of(topology, outer, around) & able)) return {outer, around};
  }
  return {level, group};
}

// The first of these histories at which `more` owes a group a step that `less` does not see to, as
// order.hpp says it may.
std::size_t first_unmet(const Topology& topology, const Histories& histories,
                        const std::vector<std::uint32_t>& visited, const std::vector<Promise>& more,
                        const std::vector<Promise>& less) {
  std::size_t first = first_lack(more, less);
  if (first == visited.size() || topology.is_flat()) return first;
  GroupSet lacking;
  for (std::size_t at = first; at < visited.size(); ++at) {
    lacking |= more[at].owed - less[at].guaranteed;
  }
  first = visited.size();
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    for (const int group : lacking.at(topology, level)) {
      ThreadSet able;
      for (std::size_t at = 0; at < visited.size(); ++at) {
        const History& history = histories.history(visited[at]);
        if (more[at].owed.at(topology, level).contains(group)) {
          able |= history.started & history.ready(topology.threads());
        }
      }
      const auto around = outermost(topology, level, group, able);
      for (std::size_t at = 0; at < first; ++at) {
        const bool unmet = more[at].owed.at(topology, level).contains(group) &&
                           !less[at].guaranteed.at(topology, around.first).contains(around.second);
        if (unmet) first = at;
      }
    }
  }
  return first;
}

}  // namespace

std::string to_string(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "equal";
    case Relation::below:
      return "below";
    case Relation::above:
      return "above";
    case Relation::incomparable:
      return "incomparable";
  }
  return {};
}

// Models that are functions of the history share one walk. A model that remembers F multiplies
// the histories, so each pair with one gets a walk of its own.
ModelOrder::ModelOrder(std::vector<ModelPtr> models, const Topology& topology, Scope scope,
                       bool may_block)
    : models_(std::move(models)),
      topology_(topology),
      may_block_(may_block && any_looks_at_blocked(models_)) {
  assert(topology.threads() >= 1 && in_limits(models_, topology.threads(), may_block));
  const std::size_t size = models_.size();
  separations_.resize(size * size);
  guarantees_.resize(size);
  std::vector<std::size_t> functions;
  for (std::size_t m = 0; m < size; ++m) {
    if (models_[m]->history_determined()) {
      functions.push_back(m);
    } else {
      compare(scope, {m});
      for (std::size_t other = 0; other < size; ++other) {
        if (other < m || (other > m && models_[other]->history_determined())) {
          compare(scope, {m, other});
        }
      }
    }
  }
  compare(scope, functions);
}

bool ModelOrder::in_limits(const std::vector<ModelPtr>& models, int threads, bool may_block) {
  const bool blocking = may_block && any_looks_at_blocked(models);
  return threads <= (blocking ? kMaxBlockingOrderThreads : kMaxOrderThreads);
}

void ModelOrder::compare(Scope scope, const std::vector<std::size_t>& together) {
  std::vector<const Model*> walked;
  walked.reserve(together.size());
  for (std::size_t m : together) walked.push_back(models_[m].get());
  const Histories histories(topology_, walked, may_block_);
  separated_at_.assign(separations_.size(), histories.size());
  if (scope == Scope::recurring) {
    for (const auto& visited : histories.recurring_components()) {
      compare_at(visited, histories, scope, together);
    }
  } else {
    for (std::uint32_t h = 0; h < histories.size(); ++h) {
      compare_at({h}, histories, scope, together);
    }
  }
}

// Compares the models on histories that an execution may visit again and again.
void ModelOrder::compare_at(const std::vector<std::uint32_t>& visited, const Histories& histories,
                            Scope scope, const std::vector<std::size_t>& together) {
  std::vector<std::vector<Promise>> promises(together.size());
  for (std::size_t m = 0; m < together.size(); ++m) {
    promises[m] = promises_of(m, visited, histories, topology_);
    const bool owes = std::any_of(promises[m].begin(), promises[m].end(),
                                  [](const Promise& promise) { return !promise.owed.empty(); });
    if (owes) guarantees_[together[m]] = true;
  }
  for (std::size_t a = 0; a < together.size(); ++a) {
    for (std::size_t b = 0; b < together.size(); ++b) {
      const std::size_t pair = together[a] * models_.size() + together[b];
      if (separated_at_[pair] <= visited.front()) continue;
      const std::size_t at = scope == Scope::all ? first_lack(promises[a], promises[b])
                                                 : first_unmet(topology_, histories, visited,
                                                               promises[a], promises[b]);
      if (at == visited.size() || visited[at] >= separated_at_[pair]) continue;
      separated_at_[pair] = visited[at];
      separations_[pair] =
          Separation{histories.path(visited[at]), histories.history(visited[at]).blocked,
                     promises[a][at].guaranteed, promises[b][at].guaranteed};
    }
  }
}

Relation ModelOrder::relation(std::size_t a, std::size_t b) const {
  if (at_most(a, b)) return at_most(b, a) ? Relation::equal : Relation::below;
  return at_most(b, a) ? Relation::above : Relation::incomparable;
}

bool ModelOrder::at_most(const Reading& a, const Reading& b) const {
  const bool weaker =
      a.fairness == models::Fairness::weak || b.fairness == models::Fairness::strong;
  return at_most(a.model, b.model) && (weaker || !guarantees_[a.model]);
}

}  // namespace headway::models
