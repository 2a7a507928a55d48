// headway suite fingerprint: the fewest tests that tell the models apart.
#include <fmt/format.h>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/suite.hpp"
#include "suite/annotate.hpp"

namespace headway::cli {
namespace {

struct FingerprintArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string out;
};

Outcome fingerprint(const FingerprintArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  if (!arguments.out.empty()) require_no_tests(arguments.out);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  const suite::SuiteOrder order(models, suite.tests);
  const suite::Fingerprint found =
      suite::fingerprint(matrix, order, suite.tests, &SuiteRun::stop());
  if (!found.complete) return run.finish();

  if (arguments.format == "json") {
    print(report::fingerprint_json(suite, matrix, order, found));
  } else if (arguments.format == "csv") {
    print(report::fingerprint_table(suite, matrix, found).to_csv());
  } else {
    const std::size_t all = found.separated.size() + found.inseparable.size();
    print(fmt::format("{} test{} separate{} {} of {} pairs of readings; no fewer do.\n\n",
                      found.tests.size(), found.tests.size() == 1 ? "" : "s",
                      found.tests.size() == 1 ? "s" : "", found.separated.size(), all));
    print(report::fingerprint_table(suite, matrix, found).to_string(output_style()));
    if (!found.inseparable.empty()) {
      print("\n" + report::inseparable_table(order, found).to_string(output_style()));
    }
  }
  if (!arguments.out.empty()) {
    const suite::Annotator annotator(suite.tests, matrix, order);
    std::vector<std::string> names;
    for (const std::size_t test : found.tests) {
      names.push_back(fmt::format("fingerprint-{}-{}", names.size() + 1, annotator.title(test)));
    }
    write_tests(arguments.out, annotator, found.tests, std::move(names));
  }
  return run.finish();
}

}  // namespace

void add_suite_fingerprint(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<FingerprintArguments>(context);
  CLI::App* command =
      app.add_subcommand("fingerprint", "The fewest tests whose verdicts tell the models apart");
  add_suite_path(*command, arguments->path);
  add_models_option(*command, arguments->models);
  add_format_option(*command, arguments->format);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  add_out_option(*command, arguments->out, "A new or empty folder to write the tests to as well");
  command->footer(
      "A SAT solver refutes every smaller set. Pairs that no test of the suite separates are "
      "named.\n"
      "Example:\n"
      "  headway suite fingerprint litmus/");
  command->callback([arguments, &context] { context.outcome = fingerprint(*arguments); });
}

}  // namespace headway::cli
