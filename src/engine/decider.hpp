// Decides tests and says what is to be said of them beside their verdicts: what `headway check` and
// the page in the browser share. Safe to call from several cores, each with a Checker of its own.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "checker/check.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "models/order.hpp"
#include "report/verdicts.hpp"

namespace headway::engine {

// What became of one test, or of a file that could not be read.
struct Decision {
  std::optional<report::CheckedTest>
      checked;                     // absent when the file is bad or the run was interrupted
  std::optional<lang::Test> test;  // what was checked, when witnesses are wanted of it
  std::vector<Error> bad;
  std::vector<Error> unmet;
  std::vector<Error> warnings;
  std::string remark;     // empty: none
  std::string undecided;  // why, where it is no limit; empty: decided
  std::vector<std::string> notes;
};

class Decider {
 public:
  // `fairness` is weak, strong or both. `beyond` says whether models that a test speaks of are
  // decided, too, when they are not among `models`; `boundaries` whether they are found.
  Decider(const models::Library& library, std::vector<models::ModelPtr> models,
          const std::string& fairness, bool beyond, bool boundaries);

  const report::VerdictColumns& columns() const { return columns_; }

  // `file` is what the test is told of by.
  Decision decide(const lang::Test& test, const std::string& file, checker::Checker& checker,
                  checker::CheckOptions options);

 private:
  using CheckedTest = report::CheckedTest;

  std::string remark_on(const lang::Test& test, const Topology& launch) const;
  std::string remark_on(const CheckedTest& checked, const lang::Test& test,
                        const lang::Program& program) const;
  CheckedTest undecided(const lang::Test& test, const std::string& file, Limit limit) const;
  void compare(const lang::Expectation& expectation, const CheckedTest& checked,
               const lang::Program& program, checker::Checker& checker,
               const checker::CheckOptions& options, Decision& decision);
  std::size_t column_of(const std::string& model) const;
  const models::ModelOrder* order_for(const lang::Program& program);

  const models::Library& library_;
  const std::vector<models::ModelPtr> models_;
  const bool beyond_;
  const bool boundaries_;
  report::VerdictColumns columns_;
  std::mutex orders_mutex_;
  std::map<std::tuple<int, int, int, bool>, std::unique_ptr<models::ModelOrder>> orders_;
};

}  // namespace headway::engine
