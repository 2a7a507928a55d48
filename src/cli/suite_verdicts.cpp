// headway suite verdicts: the verdict matrix of a suite, kept beside it.
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/suite.hpp"
#include "suite/verdict_store.hpp"

namespace headway::cli {
namespace {

struct VerdictsArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  bool keep = false;
};

Outcome verdicts(const VerdictsArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  const bool keep = arguments.keep || std::filesystem::exists(suite::verdict_path(suite.path));
  const suite::VerdictMatrix matrix = run.decide(suite, models, keep);
  if (arguments.format == "csv") {
    report::suite_verdict_csv(suite, matrix, print);
  } else if (arguments.format == "json") {
    report::suite_verdict_json(suite, matrix, print);
  } else {
    print(report::suite_verdict_table(suite, matrix).to_string(output_style()));
  }
  return run.finish();
}

}  // namespace

void add_suite_verdicts(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<VerdictsArguments>(context);
  CLI::App* command = app.add_subcommand("verdicts", "The verdicts of every test");
  add_suite_path(*command, arguments->path);
  add_models_option(*command, arguments->models);
  add_format_option(*command, arguments->format);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  command->add_flag("--keep", arguments->keep,
                    "Keep the verdicts beside the suite for the next run");
  command->footer(
      "With --keep the verdicts are kept in verdicts.json in the folder, or in\n"
      "FILE.verdicts.json beside a file, and from then on brought up to date. Every command of "
      "'headway suite' uses them, for unchanged tests and models only.\n"
      "Example:\n"
      "  headway suite verdicts litmus/ --format csv");
  command->callback([arguments, &context] { context.outcome = verdicts(*arguments); });
}

}  // namespace headway::cli
