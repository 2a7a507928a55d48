// headway suite classify: what each test of a suite shows of which models.
#include <fmt/format.h>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/figures.hpp"

namespace headway::cli {
namespace {

struct ClassifyArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string attribution = "order";
  std::string part;
  bool unique = false;
};

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

suite::Groups behaviours(const suite::Suite& suite, const SuiteArguments& arguments) {
  Progress progress("tests compared", suite.tests.size());
  return suite::same_behaviours(
      suite.tests,
      {std::min(arguments.max_states, std::size_t{1'000'000}), &SuiteRun::stop(), &progress});
}

std::string text(const report::ClassificationReport& report, const ClassifyArguments& arguments) {
  const bool csv = arguments.format == "csv";
  const auto shown = [&](const report::TextTable& table) {
    return csv ? table.to_csv() : table.to_string(output_style());
  };
  if (arguments.part == "shares") return shown(report::share_table(report));
  if (arguments.part == "signatures") return shown(report::signature_table(report));
  if (arguments.part == "duplicates") return shown(report::duplicate_table(report));
  if (arguments.part == "tests") return shown(report::test_table(report));
  if (arguments.part == "classes" || csv) return shown(report::class_table(report));

  std::string text = shown(report::class_table(report));
  const std::size_t tests = report.suite.tests.size();
  if (report.published) {
    const auto share = [&](const auto& count) {
      return fmt::format("{} ({:.1f} %)", count.tests,
                         100.0 * static_cast<double>(count.tests) /
                             static_cast<double>(std::max<std::size_t>(1, tests)));
    };
    text +=
        fmt::format("\nweak tests {}, strong tests {}; attributed to none: {}\n",
                    share(report.published->weak), share(report.published->strong),
                    report.published->weak.unattributed + report.published->strong.unattributed);
  }
  text += "\n" + shown(report::signature_table(report));
  text += fmt::format(
      "\n{}, {}, {}, {}\n", counted(tests, "test"), counted(report.signatures.size(), "signature"),
      counted(report.programs.count, "program"), counted(report.behaviours.count, "behaviour"));
  std::vector<std::string> launches;
  for (const Topology& launch : report.order.launches()) launches.push_back(launch.to_string());
  text += fmt::format("order of the models: for {}\n", fmt::join(launches, " and for "));
  return text;
}

Outcome classify(const ClassifyArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  std::optional<suite::PublishedAttribution> attribution;
  if (arguments.attribution == "published") attribution.emplace(models);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  if (arguments.unique) {
    const suite::Groups groups = behaviours(suite, arguments);
    suite = suite::select(std::move(suite), groups.representatives());
  }
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  const suite::SuiteOrder order(models, suite.tests);
  report::ClassificationReport report{suite, matrix, order, suite::classify(matrix, order),
                                      {},    {},     {},    {}};
  if (attribution) report.published = attribution->count(matrix);
  report.signatures = suite::signature_classes(matrix, order, suite.tests);
  report.programs = suite::same_programs(suite.tests);
  report.behaviours = behaviours(suite, arguments);
  print(arguments.format == "json"   ? report::classification_json(report)
        : arguments.format == "html" ? report::classification_html(report)
                                     : text(report, arguments));
  return run.finish();
}

}  // namespace

void add_suite_classify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ClassifyArguments>(context);
  CLI::App* command = app.add_subcommand(
      "classify", "Conformance and distinguishing tests of each model, and signatures");
  add_suite_path(*command, arguments->path);
  add_models_option(*command, arguments->models);
  add_format_option(*command, arguments->format, {"table", "csv", "json", "html"},
                    "table, csv, json, or html: a page with a chart");
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  add_choice_option(*command, "--attribution", arguments->attribution, {"order", "published"},
                    "order: by the order of the models; published: the way the OOPSLA 2021 paper "
                    "counts");
  add_choice_option(*command, "--table", arguments->part,
                    {"classes", "shares", "signatures", "duplicates", "tests"},
                    "One table alone: classes, shares (with percentages), signatures, duplicates "
                    "or tests [classes and signatures; with csv, classes]");
  command->add_flag("--unique", arguments->unique,
                    "Count tests that no progress model can tell apart once");
  command->footer(
      "Example: the count of the paper\n"
      "  headway suite classify tests/data/published/tests --attribution published");
  command->callback([arguments, &context] { context.outcome = classify(*arguments); });
}

}  // namespace headway::cli
