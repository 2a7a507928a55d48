// headway import: runs that other programs made of exported tests, as a results file.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "campaign/foreign_results.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"

namespace headway::cli {
namespace {

struct ImportArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> logs;
  std::string suite;
  std::string target;
  std::string device;
  std::string driver;
  std::string system;
  std::string vendor;
  std::string mapping = "plain";
  int instances = 1;
  double timeout = 5;
  std::string out;
};

Outcome import_results(const ImportArguments& arguments) {
  require_folder_of(arguments.out);
  std::vector<Error> errors;
  const suite::Suite suite =
      suite::load_suite(arguments.suite, errors, nullptr, arguments.languages);
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) return Outcome().bad_input();
  if (suite.tests.empty()) throw Error(arguments.suite + ": no test");
  campaign::Results results;
  results.version = HEADWAY_VERSION;
  results.started = campaign::utc_now();
  results.device = {arguments.device, arguments.driver, arguments.target, {}};
  if (!arguments.system.empty()) results.device.details["system"] = arguments.system;
  if (!arguments.vendor.empty()) results.device.details["vendor"] = arguments.vendor;
  results.suite = arguments.suite;
  results.tests = campaign::identify(suite);
  results.mappings = {arguments.mapping};
  results.instances = arguments.instances;
  results.timeout = arguments.timeout * 1000;
  std::vector<campaign::TestRuns> by_test(suite.tests.size());
  for (const std::string& log : arguments.logs) {
    const std::string text = read_file(log);
    const std::string file = log == "-" ? "<stdin>" : log;
    const auto runs = arguments.target == "amber"
                          ? campaign::read_amber_log(text, file, suite, results.timeout)
                          : campaign::read_run_lines(text, file, suite, results.timeout);
    for (const campaign::ForeignRun& run : runs) by_test[run.test].runs.push_back(run.run);
  }
  std::size_t all = 0;
  for (std::size_t t = 0; t < by_test.size(); ++t) {
    if (by_test[t].runs.empty()) continue;
    by_test[t].test = t;
    all += by_test[t].runs.size();
    results.iterations = std::max(results.iterations, static_cast<int>(by_test[t].runs.size()));
    results.runs.push_back(std::move(by_test[t]));
  }
  campaign::write_results(arguments.out, results);
  complain(fmt::format("{} run{} of {} of {} test{} written to {}", all, all == 1 ? "" : "s",
                       results.runs.size(), results.tests.size(),
                       results.tests.size() == 1 ? "" : "s", arguments.out));
  return {};
}

}  // namespace

void add_import(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ImportArguments>(context);
  CLI::App* command = app.add_subcommand(
      "import", "Make a results file of what Amber or a host of your own printed");
  command->add_option("LOG", arguments->logs, "What was printed, or - for standard input")
      ->required();
  command->add_option("--suite", arguments->suite, "The suite that was exported and run")
      ->required();
  add_target_option(*command, arguments->target, {"amber", "metal", "vulkan", "opencl", "cuda"});
  command->add_option("--device", arguments->device, "The name of the device")->required();
  command->add_option("--driver", arguments->driver, "Its driver, with the version");
  command->add_option("--system", arguments->system, "The operating system");
  command->add_option("--vendor", arguments->vendor, "Who makes the device");
  add_mapping_option(*command, arguments->mapping);
  add_instances_option(*command, arguments->instances, "Instances of a test in one launch");
  command->add_option("--timeout", arguments->timeout, "Seconds after which a run counted as hung")
      ->check(CLI::Range(0.001, 86400.0))
      ->transform(as_seconds())
      ->capture_default_str();
  add_out_option(*command, arguments->out, "The file of results")->required();
  command->footer(
      "A test that Amber says has failed counts as timed out. Others print a line a run, such as\n"
      "'2t_2i_0 terminated 1.5' or '2t_2i_0 timed-out'.\n"
      "Example: what Amber printed on a phone, of a suite exported as amber\n"
      "  headway import amber.log --suite litmus/suite/fingerprint -t amber --device a620 -o "
      "r.json");
  command->callback([arguments, &context] { context.outcome = import_results(*arguments); });
}

}  // namespace headway::cli
