// headway report: a suite as one HTML file.
#include <fmt/format.h>

#include "base/file.hpp"
#include "cli/device_tables.hpp"
#include "cli/inputs.hpp"
#include "cli/suite.hpp"
#include "report/html.hpp"

namespace headway::cli {
namespace {

struct ReportArguments : SuiteArguments {
  std::string out;
  std::vector<std::string> devices;
  std::string title;
};

// The texts of the files that hold one test each.
std::vector<std::string> sources(const suite::Suite& suite) {
  std::vector<std::size_t> tests_of(suite.files.size());
  for (const std::uint32_t file : suite.file_of) ++tests_of[file];
  std::vector<std::string> texts(suite.tests.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::filesystem::path path = suite.file(t);
    const bool is_test = path.extension() == ".litmus" || path.extension() == ".txt";
    if (tests_of[suite.file_of[t]] == 1 && is_test) texts[t] = read_file(path);
  }
  return texts;
}

std::string title_of(const ReportArguments& arguments) {
  if (!arguments.title.empty()) return arguments.title;
  return arguments.path == "-" ? "standard input" : arguments.path;
}

// What a file lacks that `error` is about, as a sentence of the page.
std::string sentence(const Error& error) {
  return fmt::format("{}: {}", error.where().to_string(), error.what());
}

std::vector<report::DeviceTable> read_devices(const ReportArguments& arguments,
                                              const suite::Suite& suite,
                                              std::vector<Error>& errors) {
  std::vector<report::DeviceTable> tables;
  for (const std::string& file : arguments.devices) {
    try {
      DeviceFile device = read_device_table(file, suite);
      if (device.unmatched > 0) {
        complain(fmt::format(
            "{}: {} about no test of {}", file,
            device.unmatched == 1 ? "1 row is" : fmt::format("{} rows are", device.unmatched),
            arguments.path));
      }
      tables.push_back(std::move(device.table));
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  return tables;
}

int report(const ReportArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  const std::size_t loaded = suite.tests.size();
  const suite::VerdictMatrix verdicts = run.decide(suite, models);
  report::Page page{title_of(arguments),
                    HEADWAY_VERSION,
                    suite,
                    verdicts,
                    suite::Idioms(),
                    sources(suite),
                    read_devices(arguments, suite, run.errors()),
                    {}};
  for (const Error& error : run.errors()) page.problems.push_back(sentence(error));
  if (suite.tests.size() < loaded) {
    page.problems.push_back(fmt::format("Interrupted: {} of {} tests are not here.",
                                        loaded - suite.tests.size(), loaded));
  }
  if (verdicts.undecided() > 0) {
    page.problems.push_back(fmt::format("{} of {} tests are unknown under some model.",
                                        verdicts.undecided(), suite.tests.size()));
  }
  const std::string html = report::html_report(page);
  if (arguments.out == "-") {
    print(html);
  } else {
    write_file(arguments.out, html);
    complain(fmt::format("{} test{} written to {}", suite.tests.size(),
                         suite.tests.size() == 1 ? "" : "s", arguments.out));
  }
  return run.finish();
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command =
      app.add_subcommand("report", "Write a suite as one HTML file to explore in a browser");
  add_suite_path(*command, *arguments);
  command->add_option("-o,--out", arguments->out, "The file to write, or - for standard output")
      ->required();
  add_suite_models(*command, *arguments);
  command->add_option("--devices", arguments->devices,
                      "CSV files with what devices did, to show beside the verdicts");
  command->add_option("--title", arguments->title, "What the page is called [PATH]");
  add_suite_limits(*command, *arguments);
  command->footer(
      "Example:\n"
      "  headway report litmus -o report.html");
  command->callback([arguments, &status] { status = report(*arguments); });
}

}  // namespace headway::cli
