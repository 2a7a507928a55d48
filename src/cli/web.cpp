// headway web: a page that runs a suite on the GPU of whoever visits it.
#include "report/web.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/runnable.hpp"
#include "cli/suite.hpp"
#include "emit/emit.hpp"
#include "emit/lower.hpp"

namespace headway::cli {
namespace {

constexpr std::size_t kStatesBeforeWeb = 1'000'000;  // for whether a test goes wrong

struct WebArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string out;
  std::string title;
};

Outcome web(const WebArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  suite::Suite suite = run.load(arguments.path);
  if (suite.tests.empty()) {
    if (!run.nothing_read(suite)) run.errors().emplace_back(arguments.path + ": no tests to run");
    return run.finish();
  }
  Outcome outcome;
  const auto write = [](const lang::Test& test) {
    emit::emit(emit::lower(test, emit::Mapping::plain, 1), emit::Target::webgpu);
  };
  suite = without_refused(std::move(suite), not_expressible(write), outcome);
  // What goes wrong has no verdict that a run could be held against.
  const auto wrong = [](const lang::Test& test) { return goes_wrong(test, kStatesBeforeWeb); };
  suite = without_refused(std::move(suite), wrong, outcome);
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  if (SuiteRun::stop()) return run.finish(outcome);  // a part of a suite is another suite
  const suite::SuiteOrder order(models, suite.tests);
  const std::string title = arguments.title.empty() ? arguments.path : arguments.title;
  for (const report::WebFile& file :
       report::web_files({title, HEADWAY_VERSION, suite, matrix, order})) {
    write_file(std::filesystem::path(arguments.out) / file.name, file.content);
  }
  complain(fmt::format("{} test{} written to {}; serve the folder and open it", suite.tests.size(),
                       suite.tests.size() == 1 ? "" : "s", arguments.out));
  return run.finish(outcome);
}

}  // namespace

void add_web(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<WebArguments>(context);
  CLI::App* command = app.add_subcommand(
      "web", "Write a page that runs a suite in the browser, on the visitor's own GPU");
  add_suite_path(*command, arguments->path);
  add_out_option(*command, arguments->out,
                 "The folder to write to; files of an earlier page are replaced")
      ->required();
  add_models_option(*command, arguments->models);
  add_title_option(*command, arguments->title);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  command->footer(
      "Any static file server serves the folder. Browsers offer WebGPU to pages that come by "
      "https\n"
      "or from this machine. What the page saves, 'headway conform' reads.\n"
      "Example:\n"
      "  headway web litmus/suite/fingerprint -o site && python3 -m http.server -d site");
  command->callback([arguments, &context] { context.outcome = web(*arguments); });
}

}  // namespace headway::cli
