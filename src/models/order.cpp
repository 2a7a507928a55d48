#include "models/order.hpp"

#include <algorithm>
#include <cassert>

#include "models/histories.hpp"
#include "models/scoped.hpp"

namespace headway::models {

namespace {

bool any_looks_at_blocked(const std::vector<ModelPtr>& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const ModelPtr& model) { return model->looks_at_blocked(); });
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
  for (std::size_t h = 0; h < histories.size(); ++h) {
    if (scope == Scope::recurring && !histories.recurs(h)) continue;
    const History& history = histories.history(h);
    const GroupSet ready = groups_of(topology_, history.ready(topology_.threads()));
    for (std::size_t a = 0; a < together.size(); ++a) {
      const GroupSet more = guaranteed(topology_, histories.selected(h, a));
      const GroupSet owed = more & ready;
      if (!owed.empty()) guarantees_[together[a]] = true;
      for (std::size_t b = 0; b < together.size(); ++b) {
        auto& separation = separations_[together[a] * models_.size() + together[b]];
        if (separation) continue;
        const GroupSet less = guaranteed(topology_, histories.selected(h, b));
        if (!less.includes(owed)) {
          separation = Separation{histories.path(h), history.blocked, more, less};
        }
      }
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
