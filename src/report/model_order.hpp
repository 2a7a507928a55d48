// The order between models (models/order.hpp) as a table, as JSON and as a Graphviz diagram.
#pragma once

#include <string>
#include <vector>

#include "models/hasse.hpp"
#include "report/table.hpp"

namespace headway::report {

// A test that passes under one model and fails under another, in the same fairness.
struct DistinguishingTest {
  std::size_t passes = 0;  // index of the model
  std::size_t fails = 0;
  models::Fairness fairness = models::Fairness::weak;
  std::string test;
  std::string file;
};

struct OrderReport {
  const models::ModelOrder& order;
  models::Scope scope;
  bool may_block;  // whether histories count in which threads are blocked
  // With a suite: a smallest test of it for each pair and fairness where there is one.
  bool has_suite = false;
  std::vector<DistinguishingTest> tests;
};

std::string order_table(const OrderReport& report, Style style);
std::string order_json(const OrderReport& report);
// Lower readings at the bottom.
std::string order_dot(const OrderReport& report);

}  // namespace headway::report
