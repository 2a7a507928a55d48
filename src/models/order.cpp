#include "models/order.hpp"

#include <cassert>

#include "models/histories.hpp"

namespace headway::models {

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
ModelOrder::ModelOrder(std::vector<ModelPtr> models, int threads, Scope scope)
    : models_(std::move(models)) {
  assert(threads >= 1 && threads <= kMaxOrderThreads);
  const std::size_t size = models_.size();
  separations_.resize(size * size);
  guarantees_.resize(size);
  std::vector<std::size_t> functions;
  for (std::size_t m = 0; m < size; ++m) {
    if (models_[m]->history_determined()) {
      functions.push_back(m);
    } else {
      compare(threads, scope, {m});
      for (std::size_t other = 0; other < size; ++other) {
        if (other < m || (other > m && models_[other]->history_determined())) {
          compare(threads, scope, {m, other});
        }
      }
    }
  }
  compare(threads, scope, functions);
}

void ModelOrder::compare(int threads, Scope scope, const std::vector<std::size_t>& together) {
  std::vector<const Model*> walked;
  walked.reserve(together.size());
  for (std::size_t m : together) walked.push_back(models_[m].get());
  const Histories histories(threads, walked);
  for (std::size_t h = 0; h < histories.size(); ++h) {
    if (scope == Scope::recurring && !histories.recurs(h)) continue;
    for (std::size_t a = 0; a < together.size(); ++a) {
      const ThreadSet more = histories.fair(h, a);
      if (!more.empty()) guarantees_[together[a]] = true;
      for (std::size_t b = 0; b < together.size(); ++b) {
        auto& separation = separations_[together[a] * models_.size() + together[b]];
        const ThreadSet less = histories.fair(h, b);
        if (!separation && !less.includes(more)) {
          separation = Separation{histories.path(h), more, less};
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
