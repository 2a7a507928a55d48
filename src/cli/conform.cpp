// headway conform: which models the runs of devices refute.
#include "report/conform.hpp"

#include <fmt/format.h>

#include <set>

#include "base/file.hpp"
#include "campaign/results.hpp"
#include "cli/findings.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "report/figures.hpp"

namespace headway::cli {
namespace {

struct ConformArguments : SuiteArguments {  // `path` is that of the suite
  using SuiteArguments::SuiteArguments;
  std::vector<std::string> results;
  std::string part;
  std::string reading;               // of whose conformance tests the figures are
  std::vector<std::string> between;  // two models or readings
};

// The tests that --reading or --between choose.
report::TestChoice chosen_tests(const report::ConformReport& report,
                                const ConformArguments& arguments) {
  if (!arguments.between.empty()) {
    return report::tests_between(report, arguments.between[0], arguments.between[1]);
  }
  if (arguments.reading.empty()) return report::all_tests(report);
  for (const models::Reading& reading : report.order.readings()) {
    if (report.order.name(reading) == arguments.reading) {
      return report::conformance_tests(report, reading);
    }
  }
  std::vector<std::string> names;
  for (const models::Reading& reading : report.order.readings()) {
    names.push_back(report.order.name(reading));
  }
  throw Error(fmt::format("--reading {}: expected {}", arguments.reading, fmt::join(names, ", ")));
}

// How devices did on the tests of which --between speaks.
std::string between_text(const report::ConformReport& report, const report::TestChoice& choice,
                         bool csv) {
  const report::TextTable table = report::between_table(report, choice);
  if (csv) return table.to_csv();
  const std::vector<std::string> quiet = report::never_hung(report, choice);
  return fmt::format("{}\n{} of them ran and never hung on any device{}{}\n",
                     table.to_string(output_style()), quiet.size(), quiet.empty() ? "" : ": ",
                     fmt::join(quiet, ", "));
}

// The suite that results files name; nothing, and an error, when there is not one.
std::string recorded_suite(const std::vector<std::string>& files, std::vector<Error>& errors) {
  std::set<std::string> paths;
  std::vector<Error> broken;
  for (const std::string& file : files) {
    try {
      const std::string text = read_file(file, campaign::kMaxResultBytes);
      if (campaign::is_results(text)) paths.insert(campaign::parse_results(text, file).suite);
    } catch (const Error& error) {
      broken.push_back(error);
    }
  }
  if (paths.size() == 1) return *paths.begin();
  errors.insert(errors.end(), broken.begin(), broken.end());
  if (paths.size() > 1) {
    errors.emplace_back(
        fmt::format("results of {} suites, {} and {} among them; name one that "
                    "holds their tests with --suite",
                    paths.size(), *paths.begin(), *paths.rbegin()));
  } else if (broken.empty() && errors.empty()) {
    errors.emplace_back(
        "none of these is a results file, and tables in the published form do not name their "
        "suite; "
        "name it with --suite");
  }
  return {};
}

campaign::Collection collect(const std::vector<std::string>& files, const suite::Suite& suite,
                             std::vector<Error>& errors) {
  campaign::Collection collection(suite);
  Progress progress("files", files.size());
  for (const std::string& file : files) {
    try {
      collection.add(file);
    } catch (const Error& error) {
      errors.push_back(error);
    }
    progress.advance();
  }
  return collection;
}

std::string text(const report::ConformReport& report, const ConformArguments& arguments) {
  if (arguments.format == "json") return report::conform_json(report);
  if (arguments.format == "html") return report::conform_html(report);
  if (is_of_findings(arguments.format)) {
    return findings_text("conform", arguments.format, findings_of(report));
  }
  const bool csv = arguments.format == "csv";
  const auto shown = [&](const report::TextTable& table) {
    return csv ? table.to_csv() : table.to_string(output_style());
  };
  if (arguments.part == "devices") return shown(report::device_table(report));
  if (arguments.part == "tests") return shown(report::hung_table(report));
  if (arguments.part == "mappings" || arguments.part == "compare" || !arguments.between.empty()) {
    if (arguments.part == "mappings" && arguments.reading == "each") {
      std::vector<report::TestChoice> choices;
      for (const models::Reading& reading : report.order.readings()) {
        choices.push_back(report::conformance_tests(report, reading));
      }
      return shown(report::mapping_table(report, choices));
    }
    const report::TestChoice choice = chosen_tests(report, arguments);
    if (arguments.part == "mappings") return shown(report::mapping_table(report, {choice}));
    if (arguments.part == "compare") return shown(report::comparison_table(report, choice));
    return between_text(report, choice, csv);
  }
  if (csv) return shown(report::reading_table(report, report::MappingNames::full));
  std::string text;
  if (arguments.part.empty()) text += shown(report::device_table(report)) + "\n";
  if (report.devices.size() > 1 && arguments.part.empty()) {
    return text + shown(report::refutation_matrix(report)) + "\n" + report::legend(report);
  }
  return text + shown(report::reading_table(report, report::MappingNames::letters)) + "\n" +
         report::reading_legend(report);
}

Outcome conform(const ConformArguments& arguments) {
  const bool of_figures = arguments.part == "mappings" || arguments.part == "compare";
  if (!arguments.reading.empty() && !of_figures) {
    throw Error("--reading goes with --table mappings or --table compare");
  }
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  const std::vector<std::string> files = campaign::find_results(arguments.results, run.errors());
  if (files.empty()) return run.finish();
  const std::string path =
      arguments.path.empty() ? recorded_suite(files, run.errors()) : arguments.path;
  if (path.empty()) return run.finish();
  suite::Suite suite = run.load(path);
  if (run.nothing_read(suite)) return run.finish();
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  if (SuiteRun::stop()) return run.finish();

  const campaign::Collection collection = collect(files, suite, run.errors());
  const suite::SuiteOrder order(models, suite.tests);
  report::ConformReport report{suite, matrix, order, collection.devices(), {}, collection.notes()};
  for (const std::string& note : report.notes) complain(note);
  for (const campaign::DeviceObservations& device : report.devices) {
    report.results.push_back(campaign::conformance(device, matrix, order));
  }
  if (!report.devices.empty()) print(text(report, arguments));
  return run.finish();
}

}  // namespace

void add_conform(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ConformArguments>(context);
  CLI::App* command = app.add_subcommand(
      "conform", "Which models the runs of devices refute, and under which mappings");
  command
      ->add_option("RESULTS", arguments->results,
                   "Results files, CSV tables in the published form, or folders of them")
      ->required();
  command->add_option("--suite", arguments->path,
                      "The suite that was run [the one that the results files name]");
  add_models_option(*command, arguments->models);
  add_format_option(*command, arguments->format,
                    {"table", "csv", "json", "html", "junit", "sarif"});
  add_choice_option(*command, "--table", arguments->part,
                    {"devices", "readings", "tests", "mappings", "compare"},
                    "One table alone: devices, readings, the tests that did not terminate, how "
                    "devices did under each mapping, or pairs of devices as sets of tests [for "
                    "several devices, how they compare; with csv, readings]");
  command
      ->add_option("--reading", arguments->reading,
                   "With --table mappings or compare: the conformance tests of MODEL:weak or "
                   "MODEL:strong alone, or with mappings of each reading [all tests]")
      ->excludes(command
                     ->add_option("--between", arguments->between,
                                  "Two models or readings: the tests that the second makes pass "
                                  "and the first does not")
                     ->expected(2));
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  command->footer(
      "A test that is guaranteed to terminate under a model and did not refutes the model for\n"
      "the device. No number of runs shows that a device has a model.\n"
      "Example:\n"
      "  headway conform tests/data/published/devices --suite tests/data/published/tests");
  command->callback([arguments, &context] { context.outcome = conform(*arguments); });
}

}  // namespace headway::cli
