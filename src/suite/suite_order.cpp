#include "suite/suite_order.hpp"

#include <algorithm>
#include <set>

namespace headway::suite {

using models::Fairness;
using models::Reading;

namespace {

constexpr int kUsualThreads = 3;  // tells the standard models apart, as two threads do not

}  // namespace

SuiteOrder::SuiteOrder(const std::vector<models::ModelPtr>& models,
                       std::span<const lang::Test> tests) {
  std::set<int> counts;
  for (const lang::Test& test : tests) {
    counts.insert(std::min(test.thread_count(), models::kMaxOrderThreads));
  }
  if (counts.empty()) counts.insert(kUsualThreads);
  threads_.assign(counts.begin(), counts.end());
  for (const int threads : threads_) {
    orders_.emplace_back(models, threads, models::Scope::recurring);
  }
  for (std::size_t m = 0; m < models.size(); ++m) {
    readings_.push_back({m, Fairness::weak});
    if (!equal({m, Fairness::weak}, {m, Fairness::strong})) {
      readings_.push_back({m, Fairness::strong});
    }
  }
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
