#include "synth/space/filter.hpp"

#include "models/histories.hpp"
#include "models/order.hpp"
#include "models/scoped.hpp"

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

}  // namespace

bool ruled_out_by_order(const std::vector<Filter>& filters, const Topology& launch,
                        bool may_block) {
  std::vector<models::ModelPtr> all;
  all.reserve(filters.size());
  for (const Filter& filter : filters) all.push_back(filter.model);
  if (!models::ModelOrder::in_limits(all, launch.threads(), may_block)) return false;
  const models::ModelOrder order(all, launch, models::Scope::recurring, may_block);
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

// Let C be the component of the cycle, and F, G what is owed by a reading under which the test must
// pass and by the one under which C is fair. C is weakly fair under F iff every group in F steps.
// For strong fairness no state of C may have a group in F of which all steps leave C. None has if
// F is empty; or if one thread alone steps, for then C is one cycle, which that thread goes round
// whether or not anyone else ever steps; or if C is strongly fair under G and G holds F.
bool allows_cycle(const std::vector<Filter>& filters, std::size_t failing,
                  const std::vector<GroupSet>& owed, const GroupSet& steps) {
  if (!steps.includes(owed[failing])) return false;
  for (std::size_t p = 0; p < filters.size(); ++p) {
    if (!filters[p].passes || !steps.includes(owed[p])) continue;
    const bool closed =
        owed[p].empty() || steps.threads.size() == 1 ||
        (filters[failing].fairness == Fairness::strong && owed[failing].includes(owed[p]));
    if (filters[p].fairness == Fairness::weak || closed) return false;
  }
  return true;
}

// Only started threads step on a cycle, or the history would change.
bool contradictory(const std::vector<Filter>& filters, const Topology& launch) {
  const int threads = launch.threads();
  if (threads > models::kMaxOrderThreads) return false;
  if (!history_determined(filters)) return ruled_out_by_order(filters, launch, false);
  std::vector<const models::Model*> all;
  all.reserve(filters.size());
  for (const Filter& filter : filters) all.push_back(filter.model.get());
  const models::Histories histories(launch, all);
  for (std::size_t f = 0; f < filters.size(); ++f) {
    if (filters[f].passes) continue;
    bool possible = false;
    for (std::size_t h = 0; h < histories.size() && !possible; ++h) {
      const models::History& history = histories.history(h);
      std::vector<GroupSet> owed;
      for (std::size_t m = 0; m < filters.size(); ++m) {
        owed.push_back(models::owed(launch, history, histories.selected(h, m)));
      }
      const std::uint32_t able = (history.started & history.alive(threads)).bits();
      for (std::uint32_t steps = able; steps != 0 && !possible; steps = (steps - 1) & able) {
        possible = allows_cycle(filters, f, owed, groups_of(launch, ThreadSet::of_bits(steps)));
      }
    }
    if (!possible) return true;
  }
  return false;
}

}  // namespace headway::synth
