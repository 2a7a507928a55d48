// The readings of models that a suite can tell apart at all, and the order between them: that of
// models/order.hpp for every launch that a test of the suite has.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lang/test.hpp"
#include "models/order.hpp"

namespace headway::suite {

class SuiteOrder {
 public:
  // For the launches of `tests`; for three threads when there are no tests. Of launches that are
  // too large for models/order.hpp smaller ones count.
  SuiteOrder(const std::vector<models::ModelPtr>& models, std::span<const lang::Test> tests);

  const std::vector<models::ModelPtr>& models() const { return orders_.front().models(); }
  // Every model under weak and under strong fairness, in the order of the models; one reading
  // where a model never guarantees anything, so that the two are the same.
  const std::vector<models::Reading>& readings() const { return readings_; }
  // "HSA:weak", or "unfair" where the two readings are one.
  std::string name(const models::Reading& reading) const;
  // The launches that the order was decided for, increasing, and the numbers of their threads.
  const std::vector<Topology>& launches() const { return launches_; }
  std::vector<int> threads() const;

  // Whether every test that passes under `a` passes under `b`, as far as the order knows.
  bool at_most(const models::Reading& a, const models::Reading& b) const;
  bool equal(const models::Reading& a, const models::Reading& b) const {
    return at_most(a, b) && at_most(b, a);
  }
  bool below(const models::Reading& a, const models::Reading& b) const {
    return at_most(a, b) && !at_most(b, a);
  }

 private:
  std::vector<Topology> launches_;
  std::vector<models::ModelOrder> orders_;  // one a launch
  std::vector<models::Reading> readings_;
};

}  // namespace headway::suite
