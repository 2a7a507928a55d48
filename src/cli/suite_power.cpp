// headway suite power: which wrong implementations the tests of a suite find.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/power.hpp"
#include "suite/annotate.hpp"
#include "suite/power.hpp"
#include "synth/space/bounds.hpp"

namespace headway::cli {
namespace {

struct PowerArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string claim;
  int search = 3;
  std::string out;
};

// Writes the fewest tests and those that the suite lacks, with what the claim says of them.
void write_fewest(const PowerArguments& arguments, const suite::Suite& suite,
                  const suite::Power& power, const models::ModelPtr& claim) {
  std::vector<lang::Test> tests;
  for (const std::size_t test : power.fewest) tests.push_back(suite.tests[test]);
  for (const auto& missing : power.missing) {
    if (missing && std::find(tests.begin(), tests.end(), *missing) == tests.end()) {
      tests.push_back(*missing);
    }
  }
  const suite::VerdictMatrix matrix = suite::decide(tests, {claim});
  const suite::SuiteOrder order({claim}, tests);
  const suite::Annotator annotator(tests, matrix, order);
  std::vector<std::size_t> all(tests.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const std::size_t test : all) {
    names.push_back(fmt::format("power-{}-{}", test + 1, annotator.title(test)));
  }
  write_tests(arguments.out, annotator, all, std::move(names));
}

Outcome power(const PowerArguments& arguments) {
  SuiteRun run(arguments);
  const auto [claim, said] = parse_wanted(run.library(), arguments.claim);
  const models::Fairness fairness = said.value_or(models::Fairness::weak);
  if (!arguments.out.empty()) require_no_tests(arguments.out);
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
    print("\n" + report::surviving_table(found).to_string(output_style()));
    print(report::missing_tests(found));
  }
  if (!arguments.out.empty()) write_fewest(arguments, suite, found, claim);
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
  add_out_option(*command, arguments->out,
                 "A new or empty folder to write the fewest tests to, and those that are missing");
  command->footer(
      "A test kills a wrong implementation if it passes under the claim and fails there.\n"
      "Example:\n"
      "  headway suite power litmus/suite/minimal --claim OBE");
  command->callback([arguments, &context] { context.outcome = power(*arguments); });
}

}  // namespace headway::cli
