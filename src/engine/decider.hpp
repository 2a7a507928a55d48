// Decides tests and says what is to be said of them beside their verdicts: what `headway check` and
// the page in the browser share. Safe to call from several cores, each with a Checker of its own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/topology.hpp"
#include "checker/check.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "models/order.hpp"
#include "report/answer.hpp"
#include "report/verdicts.hpp"

namespace headway::engine {

// What became of one test, or of a file that could not be read.
struct Decision {
  std::optional<report::CheckedTest>
      checked;                           // absent when the file is bad or the run was interrupted
  std::optional<lang::Test> test;        // what was checked, when witnesses are wanted of it
  std::vector<models::ModelPtr> models;  // of `checked`
  std::vector<Error> bad;
  std::vector<Error> unmet;
  std::vector<Error> warnings;
  std::string remark;     // empty: none
  std::string undecided;  // why, where it is no limit; empty: decided
  std::vector<std::string> notes;
};

// Under which models tests are decided.
struct Models {
  // Those that were named: `chosen`, for all tests. None were: of what is written in a language
  // that people write programs in those of that language's own text, and `chosen` of others. All:
  // first the former, then the latter.
  enum class Which : std::uint8_t { named, usual, all };
  Which which = Which::usual;
  std::vector<models::ModelPtr> chosen;
  std::vector<models::ModelPtr> required;  // for all tests, behind the others
};

class Decider {
 public:
  // `fairness` is weak, strong or both. Models that a test speaks of are decided, too, where none
  // were named; `boundaries` says whether they are found.
  Decider(const models::Library& library, Models models, const std::string& fairness,
          bool boundaries);

  const std::vector<models::Fairness>& fairnesses() const { return fairnesses_; }
  // Those that a test is decided under, in the order in which they are told.
  std::vector<models::ModelPtr> models_of(const lang::Test& test) const;
  // Of tests that were decided, by the order in which they name models.
  report::VerdictColumns columns(const std::vector<report::CheckedTest>& tests) const;

  // `file` is what the test is told of by.
  Decision decide(const lang::Test& test, const std::string& file, checker::Checker& checker,
                  checker::CheckOptions options);
  // Of a test that cannot be decided as it was asked for, and why.
  Decision refuse(const lang::Test& test, const std::string& file, const Error& why) const;

 private:
  using CheckedTest = report::CheckedTest;
  using ModelList = std::vector<models::ModelPtr>;

  bool asks(models::Fairness fairness) const;
  // What the text of its language promises, where that is the question about a test; or null.
  const report::Promise* asked_promise(const lang::Test& test) const;
  // With those behind them that say more of it.
  ModelList with_beside(const lang::Test& test, ModelList models) const;
  std::string remark_on(const ModelList& models, const lang::Test& test,
                        const Topology& launch) const;
  std::string remark_on(const ModelList& models, const CheckedTest& checked, const lang::Test& test,
                        const lang::Program& program) const;
  std::string answer(const lang::Test& test, const CheckedTest& checked,
                     const lang::Program& program, const ModelList& models,
                     const std::vector<checker::ModelVerdict>& verdicts,
                     const checker::CheckOptions& options) const;
  CheckedTest undecided(const lang::Test& test, const std::string& file, const ModelList& models,
                        Limit limit) const;
  void compare(const lang::Expectation& expectation, const CheckedTest& checked,
               const ModelList& models, const std::vector<checker::ModelVerdict>& verdicts,
               Decision& decision) const;
  // What the test expects of a decision that cannot be made.
  static void compare_open(const lang::Test& test, Decision& decision);
  const models::ModelOrder* order_for(const ModelList& models, const lang::Program& program);

  const models::Library& library_;
  const Models models_;
  const bool boundaries_;
  std::vector<models::Fairness> fairnesses_;
  std::mutex orders_mutex_;
  std::map<std::tuple<std::string, Topology, bool>, std::unique_ptr<models::ModelOrder>> orders_;
};

}  // namespace headway::engine
