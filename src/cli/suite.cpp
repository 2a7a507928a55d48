// headway suite: many tests, and what their verdicts say together.
#include "cli/suite.hpp"

#include <fmt/format.h>
#include <tbb/info.h>

#include "base/file.hpp"
#include "base/names.hpp"
#include "cli/inputs.hpp"
#include "lang/printer.hpp"
#include "suite/verdict_store.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

void add_suite_path(CLI::App& command, SuiteArguments& arguments) {
  command
      .add_option("PATH", arguments.path,
                  "A folder of tests, a file of documents (.jsonl, .yaml), a test, or - for "
                  "standard input")
      ->required();
}

void add_suite_limits(CLI::App& command, SuiteArguments& arguments) {
  command.add_option("-j,--jobs", arguments.jobs, "Tests to decide at a time [one a core]")
      ->check(CLI::Range(1, 1024));
  command.add_option("--max-states", arguments.max_states, "States to explore of each test")
      ->check(CLI::Range(std::size_t{1}, checker::kHighestMaxStates))
      ->capture_default_str();
}

void add_suite_models(CLI::App& command, SuiteArguments& arguments) {
  command
      .add_option("-m,--model", arguments.models,
                  "A model by name (OBE, 'OBE-k(k=3)') or the path of a model file; may be "
                  "repeated [all six standard models]")
      ->allow_extra_args(false);
}

void add_suite_format(CLI::App& command, SuiteArguments& arguments) {
  command.add_option("--format", arguments.format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
}

SuiteRun::SuiteRun(const SuiteArguments& arguments)
    : arguments_(arguments),
      cores_(tbb::global_control::max_allowed_parallelism,
             static_cast<std::size_t>(arguments.jobs > 0 ? arguments.jobs
                                                         : tbb::info::default_concurrency())) {}

suite::Suite SuiteRun::load(const std::string& path) {
  Progress progress("tests read", 0);
  suite::Suite suite = suite::load_suite(path, errors_, &progress);
  if (!suite.renamed.empty()) {
    const auto& first = suite.renamed.front();
    const std::size_t others = suite.renamed.size() - 1;
    complain(
        fmt::format("{}: another test is called {} too; this one is called {} here{}",
                    suite.file(first.test), first.declared, suite.tests[first.test].name,
                    others > 0 ? fmt::format(", and so with {} more", others) : std::string()));
  }
  return suite;
}

suite::VerdictMatrix SuiteRun::decide(const suite::Suite& suite,
                                      const std::vector<models::ModelPtr>& models, bool keep) {
  const fs::path path = suite::verdict_path(suite.path);
  suite::VerdictStore store(path);
  suite::DecideOptions options{arguments_.max_states, &interrupt_.flag(), nullptr};
  Progress progress("tests", suite.tests.size());
  options.progress = &progress;
  suite::VerdictMatrix matrix = store.decide(suite.tests, models, options);
  for (const std::string& note : store.notes()) complain(note);
  if (keep && !path.empty() && store.changed()) {
    try {
      store.write(path);
    } catch (const Error& error) {
      complain(fmt::format("warning: the verdicts are not kept: {}", error.diagnostic()));
    }
  }
  tests_ += matrix.tests();
  undecided_ += matrix.undecided();
  return matrix;
}

int SuiteRun::finish(int status) {
  if (undecided_ > 0 && !interrupt_.flag()) {
    complain(
        fmt::format("{} of {} tests are unknown under some model; a higher --max-states may "
                    "decide them",
                    undecided_, tests_));
    status = kLimit;
  }
  for (const Error& error : errors_) complain(error);
  if (!errors_.empty()) status = kBadInput;
  if (interrupt_.flag()) {
    complain(fmt::format("interrupted: {} of {} tests decided", tests_ - undecided_, tests_));
    status = kInterrupted;
  }
  return status;
}

void write_tests(const fs::path& folder, const suite::Annotator& annotator,
                 const std::vector<std::size_t>& tests, std::vector<std::string> names) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error({folder.string(), 0, 0}, "cannot create the folder: " + error.message());
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back(safe_name(name, "-+_=()."));
  files = distinct_names(std::move(files));
  for (std::size_t i = 0; i < tests.size(); ++i) {
    lang::Test test = annotator.annotated(tests[i]);
    test.name = std::move(names[i]);
    write_file(folder / (files[i] + ".litmus"), lang::print(test));
  }
}

void require_no_tests(const fs::path& folder) {
  std::vector<Error> none;
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw Error({folder.string(), 0, 0}, "not a folder; expected a new or an empty one");
  }
  if (fs::exists(folder) && !suite::find_tests({folder.string()}, none).empty()) {
    throw Error({folder.string(), 0, 0},
                "there are tests in this folder; expected a new or an empty one");
  }
}

void add_suite(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "suite", "Classify the tests of a suite, choose among them, compare suites");
  command->require_subcommand(1);
  command->footer(
      "Example: which tests of a folder show what\n"
      "  headway suite classify litmus/");
  add_suite_verdicts(*command, status);
  add_suite_classify(*command, status);
  add_suite_conformance(*command, status);
  add_suite_annotate(*command, status);
  add_suite_fingerprint(*command, status);
  add_suite_idioms(*command, status);
  add_suite_diff(*command, status);
}

}  // namespace headway::cli
