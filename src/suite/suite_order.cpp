#include "suite/suite_order.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace headway::suite {

using models::Fairness;
using models::Reading;

namespace {

constexpr int kUsualThreads = 3;  // tells the standard models apart, as two threads do not

// `launch`, or one with the same levels that has at most `threads` threads, 6 or more.
Topology at_most_threads(const Topology& launch, int threads) {
  if (launch.threads() <= threads) return launch;
  const bool workgroups = launch.has(Level::workgroup);
  const bool subgroups = launch.has(Level::subgroup);
  const bool inside = launch.has(Level::thread);
  if (workgroups && subgroups && inside) return Topology::placed({{2, 1}, {2, 1}});
  constexpr int innermost = 3;
  const auto outer = [&](int groups) { return std::min(groups, threads / innermost); };
  const auto inner = [&](int groups) { return std::min(groups, innermost); };
  if (workgroups && subgroups) return {outer(launch.workgroups()), inner(launch.subgroups()), 1};
  if (workgroups && inside) {
    return {outer(launch.workgroups()), 1, inner(launch.subgroup_threads())};
  }
  if (subgroups && inside) return {1, outer(launch.subgroups()), inner(launch.subgroup_threads())};
  return {workgroups ? threads : 1, subgroups ? threads : 1, inside ? threads : 1};
}

}  // namespace

SuiteOrder::SuiteOrder(const std::vector<models::ModelPtr>& models,
                       std::span<const lang::Test> tests) {
  std::set<std::pair<Topology, bool>> launches;
  for (const lang::Test& test : tests) {
    const bool waits = test.source->waits();
    const bool in_limits = models::ModelOrder::in_limits(models, models::kMaxOrderThreads, waits);
    const int most = in_limits ? models::kMaxOrderThreads : models::kMaxBlockingOrderThreads;
    launches.emplace(at_most_threads(test.source->launch(), most), waits);
  }
  if (launches.empty()) launches.emplace(kUsualThreads, false);
  for (const auto& [launch, waits] : launches) {
    if (launches_.empty() || launches_.back() != launch) launches_.push_back(launch);
    orders_.emplace_back(models, launch, models::Scope::recurring, waits);
  }
  for (std::size_t m = 0; m < models.size(); ++m) {
    readings_.push_back({m, Fairness::weak});
    if (!equal({m, Fairness::weak}, {m, Fairness::strong})) {
      readings_.push_back({m, Fairness::strong});
    }
  }
}

std::vector<int> SuiteOrder::threads() const {
  std::set<int> result;
  for (const Topology& launch : launches_) result.insert(launch.threads());
  return {result.begin(), result.end()};
}

std::string SuiteOrder::name(const Reading& reading) const {
  const std::string& model = models()[reading.model]->name();
  const bool both = std::find(readings_.begin(), readings_.end(),
                              Reading{reading.model, Fairness::strong}) != readings_.end();
  return both ? model + ":" + to_string(reading.fairness) : model;
}

bool SuiteOrder::at_most(const Reading& a, const Reading& b) const {
  return std::all_of(orders_.begin(), orders_.end(),
                     [&](const auto& order) { return order.at_most(a, b); });
}

}  // namespace headway::suite
