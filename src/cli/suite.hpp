// What the commands of `headway suite` share: a suite is read, decided, and reported on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "models/library.hpp"
#include "suite/annotate.hpp"
#include "suite/suite.hpp"

namespace headway::cli {

struct SuiteArguments : TestArguments {
  using TestArguments::TestArguments;
  std::string path;
  std::vector<std::string> models;
  std::string format = "table";
  int jobs = 0;  // 0: one a core
  std::size_t max_states = checker::kDefaultMaxStates;
};

// A run over a suite: collects what went wrong on the way, and turns it into the outcome.
class SuiteRun {
 public:
  explicit SuiteRun(const SuiteArguments& arguments);

  models::Library& library() { return library_; }

  // The tests of `path`. Says which were renamed because two had one name.
  suite::Suite load(const std::string& path);
  // Says which tests were renamed, from one of Suite::renamed on.
  static void tell_renamed(const suite::Suite& suite, std::size_t from = 0);

  // Whether the suite is empty because nothing of it could be read: then there is nothing to say.
  bool nothing_read(const suite::Suite& suite) const {
    return suite.tests.empty() && !errors_.empty();
  }

  // Decides a suite. Verdicts that are kept beside it are used; with `keep` they are kept there
  // from now on, and it is a warning when that cannot be done. An interruption leaves the tests
  // in `tests` that were decided by then.
  suite::VerdictMatrix decide(suite::Suite& tests, const std::vector<models::ModelPtr>& models,
                              bool keep = false);

  // From now on a signal leaves time to write what there is.
  void hold_signals() {
    if (!interrupt_) interrupt_.emplace(Interrupt::Patience::without_limit);
  }
  static const std::atomic<bool>& stop() { return Interrupt::flag(); }
  // What was wrong with the input so far; a command adds what it finds itself.
  std::vector<Error>& errors() { return errors_; }
  // Complains of all that went wrong, and adds it to what the command found.
  Outcome finish(Outcome outcome = {});

 private:
  const SuiteArguments& arguments_;
  const CoreLimit cores_;
  std::optional<Interrupt> interrupt_;  // once there is something to keep
  models::Library library_;
  std::vector<Error> errors_;
  std::size_t tests_ = 0;
  std::size_t undecided_ = 0;
};

// A model and a fairness, MODEL or MODEL:FAIRNESS; no fairness means both, as in an expectation.
struct Wanted {
  models::ModelPtr model;
  std::optional<models::Fairness> fairness;
};
Wanted parse_wanted(models::Library& library, const std::string& text);

// Writes the annotated tests with these indices as litmus files into `folder`, under `names`, and
// says how many; the folder is created when needed. Throws headway::Error.
void write_tests(const std::filesystem::path& folder, const suite::Annotator& annotator,
                 const std::vector<std::size_t>& tests, std::vector<std::string> names);

// Each adds a command to `headway suite`.
void add_suite_verdicts(CLI::App& app, Context& context);
void add_suite_classify(CLI::App& app, Context& context);
void add_suite_conformance(CLI::App& app, Context& context);
void add_suite_annotate(CLI::App& app, Context& context);
void add_suite_fingerprint(CLI::App& app, Context& context);
void add_suite_power(CLI::App& app, Context& context);
void add_suite_idioms(CLI::App& app, Context& context);
void add_suite_diff(CLI::App& app, Context& context);

}  // namespace headway::cli
