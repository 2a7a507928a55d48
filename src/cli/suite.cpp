// headway suite: many tests, and what their verdicts say together.
#include "cli/suite.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text/names.hpp"
#include "cli/inputs.hpp"
#include "suite/verdict_store.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

SuiteRun::SuiteRun(const SuiteArguments& arguments)
    : arguments_(arguments), cores_(arguments.jobs) {}

suite::Suite SuiteRun::load(const std::string& path) {
  Progress progress("tests read", 0);
  suite::Suite suite = suite::load_suite(path, errors_, &progress, arguments_.languages);
  tell_renamed(suite);
  return suite;
}

void SuiteRun::tell_renamed(const suite::Suite& suite, std::size_t from) {
  if (suite.renamed.size() <= from) return;
  const auto& first = suite.renamed[from];
  const std::size_t others = suite.renamed.size() - from - 1;
  complain(fmt::format("{}: another test is called {} too; this one is called {} here{}",
                       suite.file(first.test), first.declared, suite.tests[first.test].name,
                       others > 0 ? fmt::format(", and so with {} more", others) : std::string()));
}

suite::VerdictMatrix SuiteRun::decide(suite::Suite& tests,
                                      const std::vector<models::ModelPtr>& models, bool keep) {
  hold_signals();
  const fs::path path = suite::verdict_path(tests.path);
  suite::VerdictStore store(path);
  Progress progress("tests", tests.tests.size());
  suite::VerdictMatrix matrix = store.decide(
      tests.tests, models, {arguments_.max_states, &stop(), &progress, keep ? path : fs::path()});
  for (const std::string& note : store.notes()) complain(note);
  if (keep && !path.empty() && !tests.tests.empty() && store.changed()) {
    try {
      store.write(path);
    } catch (const Error& error) {
      complain(fmt::format("warning: the verdicts are not kept: {}", error.diagnostic()));
    }
  }
  tests_ += matrix.tests();
  undecided_ += matrix.undecided();
  if (!stop()) return matrix;
  std::vector<std::size_t> decided;
  suite::VerdictMatrix rest(models);
  for (std::size_t t = 0; t < matrix.tests(); ++t) {
    if (!suite::is_decided(matrix.verdicts(t))) continue;
    decided.push_back(t);
    rest.add(matrix.verdicts(t));
  }
  tests = suite::select(std::move(tests), decided);
  return rest;
}

Outcome SuiteRun::finish(Outcome outcome) {
  // Of what an interruption left undecided no limit is to blame.
  if (undecided_ > 0 && !stop()) {
    complain(
        fmt::format("{} of {} tests are unknown under some model; a higher --max-states may "
                    "decide them",
                    undecided_, tests_));
    outcome.limit();
  }
  for (const Error& error : errors_) complain(error);
  if (!errors_.empty()) outcome.bad_input();
  if (stop()) {
    complain(fmt::format("interrupted: {} of {} tests decided", tests_ - undecided_, tests_));
    outcome.interrupted();
  }
  return outcome;
}

Wanted parse_wanted(models::Library& library, const std::string& text) {
  for (const models::Fairness fairness : models::kFairnesses) {
    const std::string suffix = ":" + to_string(fairness);
    if (!text.ends_with(suffix)) continue;
    return {library.find(text.substr(0, text.size() - suffix.size())), fairness};
  }
  return {library.find(text), std::nullopt};
}

void write_tests(const fs::path& folder, const suite::Annotator& annotator,
                 const std::vector<std::size_t>& tests, std::vector<std::string> names) {
  Progress progress("files", tests.size());
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error({folder.string(), 0, 0}, "cannot create the folder: " + error.message());
  std::vector<std::string> files;
  files.reserve(names.size());
  for (const std::string& name : names) files.push_back(safe_name(name, "-+_=()."));
  files = distinct_names(std::move(files));
  std::size_t written = 0;
  for (; written < tests.size() && !SuiteRun::stop(); ++written) {
    lang::Test test = annotator.annotated(tests[written]);
    test.name = std::move(names[written]);
    write_file(folder / (files[written] + ".litmus"), lang::print(test));
    progress.advance();
  }
  complain(
      fmt::format("{} test{} written to {}", written, written == 1 ? "" : "s", folder.string()));
}

void add_suite(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "suite", "Classify the tests of a suite, choose among them, compare suites");
  command->require_subcommand(1);
  command->footer(
      "Example: which tests of a folder show what\n"
      "  headway suite classify litmus/");
  add_suite_verdicts(*command, context);
  add_suite_classify(*command, context);
  add_suite_conformance(*command, context);
  add_suite_annotate(*command, context);
  add_suite_fingerprint(*command, context);
  add_suite_power(*command, context);
  add_suite_idioms(*command, context);
  add_suite_diff(*command, context);
}

}  // namespace headway::cli
