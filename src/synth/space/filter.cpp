#include "synth/space/filter.hpp"

#include "models/histories.hpp"
#include "models/order.hpp"

namespace headway::synth {
namespace {

using models::Fairness;

// Whether each model is a function of the history. Then F is constant on every cycle.
bool history_determined(const std::vector<Filter>& filters) {
  for (const Filter& filter : filters) {
    if (!filter.model->history_determined()) return false;
  }
  return true;
}

// For models with a memory: each pair of filters by the order of the models.
bool contradictory_pair(const std::vector<Filter>& filters, int threads) {
  std::vector<models::ModelPtr> all;
  all.reserve(filters.size());
  for (const Filter& filter : filters) all.push_back(filter.model);
  const models::ModelOrder order(all, threads, models::Scope::recurring);
  for (std::size_t p = 0; p < filters.size(); ++p) {
    for (std::size_t f = 0; f < filters.size(); ++f) {
      if (!filters[p].passes || filters[f].passes) continue;
      if (order.at_most(models::Reading{p, filters[p].fairness},
                        models::Reading{f, filters[f].fairness})) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

// Let C be the component of the cycle, and F, G the fair sets of a reading under which the test
// must pass and of the one under which C is fair. C is weakly fair under F iff every thread in F
// steps. For strong fairness no step of a thread in F may leave C. None does if F is empty; or if
// one thread alone steps, for then C is one cycle, which that thread goes round whether or not
// anyone else ever steps; or if C is strongly fair under G and G holds F.
bool allows_cycle(const std::vector<Filter>& filters, std::size_t failing,
                  const std::vector<ThreadSet>& fair, ThreadSet steps) {
  if (!steps.includes(fair[failing])) return false;
  for (std::size_t p = 0; p < filters.size(); ++p) {
    if (!filters[p].passes || !steps.includes(fair[p])) continue;
    const bool closed =
        fair[p].empty() || steps.size() == 1 ||
        (filters[failing].fairness == Fairness::strong && fair[failing].includes(fair[p]));
    if (filters[p].fairness == Fairness::weak || closed) return false;
  }
  return true;
}

// Only started threads step on a cycle, or the history would change.
bool contradictory(const std::vector<Filter>& filters, int threads) {
  if (threads > models::kMaxOrderThreads) return false;
  if (!history_determined(filters)) return contradictory_pair(filters, threads);
  std::vector<const models::Model*> all;
  all.reserve(filters.size());
  for (const Filter& filter : filters) all.push_back(filter.model.get());
  const models::Histories histories(threads, all);
  for (std::size_t f = 0; f < filters.size(); ++f) {
    if (filters[f].passes) continue;
    bool possible = false;
    for (std::size_t h = 0; h < histories.size() && !possible; ++h) {
      const models::History& history = histories.history(h);
      std::vector<ThreadSet> fair;
      for (std::size_t m = 0; m < filters.size(); ++m) fair.push_back(histories.fair(h, m));
      const std::uint32_t able = (history.started & history.alive(threads)).bits();
      for (std::uint32_t steps = able; steps != 0 && !possible; steps = (steps - 1) & able) {
        possible = allows_cycle(filters, f, fair, ThreadSet::of_bits(steps));
      }
    }
    if (!possible) return true;
  }
  return false;
}

}  // namespace headway::synth
