#include "cli/runnable.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "checker/check.hpp"
#include "cli/console.hpp"
#include "models/library.hpp"
#include "report/wrong_run.hpp"

namespace headway::cli {

namespace {

constexpr std::size_t kShownRefusals = 5;  // of tests for the same reason

}  // namespace

suite::Suite without_refused(suite::Suite suite, const Refusal& refusal, Outcome& outcome) {
  std::vector<std::size_t> fit;
  std::map<std::string, std::vector<std::size_t>> refused;  // by reason, without the test's name
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    const auto why = refusal(suite.tests[t]);
    if (!why) {
      fit.push_back(t);
      continue;
    }
    const std::string& name = suite.tests[t].name;
    std::vector<std::size_t>& alike =
        refused[why->starts_with(name) ? why->substr(name.size()) : *why];
    alike.push_back(t);
    if (alike.size() <= kShownRefusals) complain(Error({suite.file(t), 0, 0}, *why));
    outcome.bad_input();
  }
  for (const auto& [why, tests] : refused) {
    if (tests.size() <= kShownRefusals) continue;
    complain(fmt::format("and {} more as {}, among them {}", tests.size() - kShownRefusals,
                         suite.tests[tests.front()].name, suite.tests[tests.back()].name));
  }
  if (fit.size() == suite.tests.size()) return suite;
  if (fit.empty()) throw Error({suite.path, 0, 0}, "no test is left");
  return suite::select(std::move(suite), fit);
}

Refusal not_expressible(const std::function<void(const lang::Test& test)>& write) {
  return [write](const lang::Test& test) -> std::optional<std::string> {
    try {
      write(test);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::nullopt;
  };
}

std::optional<std::string> goes_wrong(const lang::Test& test, std::size_t max_states) {
  const auto program = lang::make_program(test);
  if (!program->may_fail()) return std::nullopt;
  // What goes wrong does so whatever the model.
  models::Library library;
  const std::vector<models::ModelPtr> models = {library.find("fair")};
  checker::CheckOptions options{max_states, &Interrupt::flag()};
  const checker::CheckResult result = checker::Checker().check(*program, models, options);
  if (result.error) {
    return fmt::format("{} goes wrong: {}; 'headway explain --model fair' shows how", test.name,
                       report::wrong_run_summary(checker::wrong_run(*program, *result.error)));
  }
  if (!result.complete) {
    complain(fmt::format("remark: whether {} goes wrong is not known: stopped at {} states",
                         test.name, result.states));
  }
  return std::nullopt;
}

}  // namespace headway::cli
