#include "cli/runnable.hpp"

#include <fmt/format.h>

#include "checker/check.hpp"
#include "cli/console.hpp"
#include "models/library.hpp"
#include "report/wrong_run.hpp"

namespace headway::cli {

suite::Suite without_refused(suite::Suite suite, const Refusal& refusal, Outcome& outcome) {
  std::vector<std::size_t> fit;
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    const auto why = refusal(suite.tests[t]);
    if (!why) {
      fit.push_back(t);
      continue;
    }
    complain(Error({suite.file(t), 0, 0}, *why));
    outcome.bad_input();
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
