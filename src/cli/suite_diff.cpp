// headway suite diff: how two suites differ.
#include <fmt/format.h>

#include "cli/findings.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/suite.hpp"
#include "suite/diff.hpp"

namespace headway::cli {
namespace {

struct DiffArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string other;
};

Outcome diff(const DiffArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  suite::Suite a = run.load(arguments.path), b = run.load(arguments.other);
  if (run.nothing_read(a) || run.nothing_read(b)) return run.finish();
  const suite::VerdictMatrix matrix_a = run.decide(a, models), matrix_b = run.decide(b, models);
  const suite::SuiteDiff found = suite::diff(a, matrix_a, b, matrix_b);
  if (is_of_findings(arguments.format)) {
    print(findings_text("suite diff", arguments.format, findings_of(a, b, found, models)));
  } else if (arguments.format == "json") {
    print(report::diff_json(a, b, found, models));
  } else if (arguments.format == "csv") {
    print(report::diff_table(a, b, found, models).to_csv());
  } else {
    if (!found.differences.empty()) {
      print(report::diff_table(a, b, found, models).to_string(output_style()) + "\n");
    }
    print(fmt::format("{} difference{}; {} test{} of A {} in B as well, {} of them renamed\n",
                      found.differences.size(), found.differences.size() == 1 ? "" : "s",
                      found.in_both, found.in_both == 1 ? "" : "s",
                      found.in_both == 1 ? "is" : "are", found.renamed));
  }
  Outcome outcome;
  if (!found.differences.empty()) outcome.unmet();
  return run.finish(outcome);
}

}  // namespace

void add_suite_diff(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DiffArguments>(context);
  CLI::App* command = app.add_subcommand("diff", "How two suites differ");
  command->add_option("A", arguments->path, "A suite: a folder, a file of documents, or a test")
      ->required();
  command->add_option("B", arguments->other, "Another")->required();
  add_models_option(*command, arguments->models);
  add_format_option(*command, arguments->format, {"table", "csv", "json", "junit", "sarif"});
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  command->footer(
      "Tests are matched by program, up to the names of locations, and then by name.\n"
      "Exit status 1 when there is a difference.\n"
      "Example:\n"
      "  headway suite diff litmus/ tests/data/published/tests");
  command->callback([arguments, &context] { context.outcome = diff(*arguments); });
}

}  // namespace headway::cli
