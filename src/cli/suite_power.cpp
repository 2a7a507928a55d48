// headway suite power: which wrong implementations the tests of a suite find.
#include <fmt/format.h>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/power.hpp"
#include "suite/power.hpp"
#include "synth/space/bounds.hpp"

namespace headway::cli {
namespace {

struct PowerArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string claim;
  int search = 3;
};

Outcome power(const PowerArguments& arguments) {
  SuiteRun run(arguments);
  std::string name = arguments.claim;
  models::Fairness fairness = models::Fairness::weak;
  for (const models::Fairness each : models::kFairnesses) {
    const std::string suffix = ":" + to_string(each);
    if (!name.ends_with(suffix)) continue;
    name.resize(name.size() - suffix.size());
    fairness = each;
  }
  const models::ModelPtr claim = run.library().find(name);
  const suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  Progress progress("tests", suite.tests.size());
  suite::PowerOptions options;
  options.search = arguments.search;
  options.stop = &SuiteRun::stop();
  options.progress = &progress;
  const suite::Power found = suite::power(run.library(), claim, fairness, suite.tests, options);
  if (!found.complete) return run.finish();
  const std::string reading = claim->name() + ":" + to_string(fairness);
  if (arguments.format == "json") {
    print(report::power_json(suite, found, reading));
  } else if (arguments.format == "csv") {
    print(report::power_table(suite, found).to_csv());
  } else {
    print(report::power_summary(suite, found, reading));
    print("\n" + report::power_table(suite, found).to_string(output_style()));
    print(report::missing_tests(found));
  }
  return run.finish();
}

}  // namespace

void add_suite_power(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<PowerArguments>(context);
  CLI::App* command = app.add_subcommand(
      "power", "Which implementations that break a promise the tests of a suite find");
  add_suite_path(*command, arguments->path);
  command
      ->add_option("--claim", arguments->claim,
                   "What is promised: MODEL, MODEL:weak or MODEL:strong; weak if it does not say")
      ->required();
  add_number_option(*command, "--search", arguments->search, 0, synth::kMaxSynthInstructions,
                    "Look for tests that the suite lacks, of at most so many instructions; 0: do "
                    "not");
  add_format_option(*command, arguments->format);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  command->footer(
      "A test kills a wrong implementation if it passes under the claim and fails there.\n"
      "Example:\n"
      "  headway suite power litmus/suite/minimal --claim OBE");
  command->callback([arguments, &context] { context.outcome = power(*arguments); });
}

}  // namespace headway::cli
