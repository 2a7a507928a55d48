// headway check: the verdicts of tests under models, against what the tests and tables expect.
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>

#include <chrono>
#include <map>
#include <mutex>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/reference_table.hpp"
#include "cli/witness_files.hpp"
#include "lang/axb_program.hpp"
#include "report/verdicts.hpp"

namespace headway::cli {
namespace {

using checker::Verdict;
using lang::Fairness;
using models::ModelPtr;
using report::CheckedTest;

struct CheckArguments {
  std::vector<std::string> paths;
  std::vector<std::string> models;
  std::string fairness = "both";
  std::string format = "table";
  std::vector<std::string> against;
  std::string witness;  // a folder; empty for none
  int jobs = 0;         // 0: one a core
  std::size_t max_states = checker::kDefaultMaxStates;
};

// What became of one file.
struct Outcome {
  std::optional<CheckedTest> checked;  // absent when the file is bad or the run was interrupted
  std::optional<lang::Test> test;      // what was checked, when witnesses are wanted of it
  std::vector<Error> bad;
  std::vector<Error> unmet;
};

class Check {
 public:
  explicit Check(const CheckArguments& arguments) : arguments_(arguments) {
    models_ = find_models(library_, arguments.models);
    for (const ModelPtr& model : models_) columns_.models.push_back(model->name());
    for (Fairness fairness : lang::kFairnesses) {
      if (arguments.fairness == "both" || arguments.fairness == to_string(fairness)) {
        columns_.fairnesses.push_back(fairness);
      }
    }
  }

  int run() {
    ReferenceTable reference;
    for (const std::string& path : arguments_.against) reference.read(path);
    std::vector<Error> errors;
    const std::vector<std::filesystem::path> files = find_tests(arguments_.paths, errors);
    std::vector<Outcome> outcomes = decide(files);

    if (!arguments_.witness.empty()) write_witness_files(outcomes);
    std::vector<CheckedTest> tests;
    for (Outcome& outcome : outcomes) {
      if (outcome.checked) tests.push_back(std::move(*outcome.checked));
    }
    if (arguments_.format != "table" || !tests.empty()) print(report_text(tests));

    int status = kFine;
    const auto raise = [&](int to) { status = std::max(status, to); };
    for (const CheckedTest& test : tests) {
      if (test.result.complete) continue;
      complain(
          fmt::format("{}: unknown: stopped at {} states and {} transitions; a higher "
                      "--max-states may decide it",
                      test.file, test.result.states, test.result.transitions));
      raise(kLimit);
    }
    for (const Outcome& outcome : outcomes) {
      for (const Error& error : outcome.unmet) complain(error);
      if (!outcome.unmet.empty() && status == kFine) status = kUnmet;
    }
    if (!arguments_.against.empty()) {
      const bool all_equal = reference.compare(tests, columns_);
      if (!all_equal && status == kFine) status = kUnmet;
    }
    for (const Outcome& outcome : outcomes) {
      errors.insert(errors.end(), outcome.bad.begin(), outcome.bad.end());
    }
    for (const Error& error : errors) complain(error);
    if (!errors.empty()) status = kBadInput;
    if (Interrupt::flag()) {
      complain(fmt::format("interrupted: {} of {} tests decided", tests.size(), files.size()));
      status = kInterrupted;
    }
    return status;
  }

 private:
  std::vector<Outcome> decide(const std::vector<std::filesystem::path>& files) {
    std::vector<Outcome> outcomes(files.size());
    const tbb::global_control limit(
        tbb::global_control::max_allowed_parallelism,
        arguments_.jobs > 0 ? static_cast<std::size_t>(arguments_.jobs)
                            : static_cast<std::size_t>(tbb::info::default_concurrency()));
    Progress progress("tests", files.size());
    tbb::enumerable_thread_specific<checker::Checker> checkers;
    parallel_for(files.size(), [&](std::size_t f) {
      if (interrupt_.flag()) return;
      outcomes[f] = decide_file(files[f], checkers.local());
      progress.advance();
    });
    return outcomes;
  }

  Outcome decide_file(const std::filesystem::path& file, checker::Checker& checker) {
    Outcome outcome;
    try {
      const lang::Test test = load_test(file);
      CheckedTest checked;
      checked.name = test.name;
      checked.file = file == "-" ? "<stdin>" : file.string();
      checked.threads = test.thread_count();
      checked.instructions = test.instruction_count();
      const checker::CheckOptions options{arguments_.max_states, &interrupt_.flag()};
      const auto start = std::chrono::steady_clock::now();
      const lang::AxbProgram program(test);
      checked.result = checker.check(program, models_, options);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      checked.seconds = taken.count();
      if (!checked.result.complete && interrupt_.flag()) return outcome;
      if (const models::ModelOrder* order = order_for(test.thread_count())) {
        checked.boundary =
            checker::find_boundary(checked.result.verdicts, *order, columns_.fairnesses);
      }
      for (const lang::Expectation& expectation : test.expectations) {
        compare(expectation, checked, program, checker, outcome);
      }
      outcome.checked = std::move(checked);
      if (!arguments_.witness.empty()) outcome.test = test;
    } catch (const Error& error) {
      outcome.bad.push_back(error);
    }
    return outcome;
  }

  // What the test itself expects. Without --model, models that are not in the table are decided
  // for it as well.
  void compare(const lang::Expectation& expectation, const CheckedTest& checked,
               const lang::Program& program, checker::Checker& checker, Outcome& outcome) {
    checker::ModelVerdict verdict;
    try {
      std::size_t column = column_of(expectation.model);
      const ModelPtr model =
          column < models_.size() ? models_[column] : library_.named(expectation.model);
      column = column_of(model->name());
      if (column < models_.size()) {
        verdict = checked.result.verdicts[column];
      } else if (arguments_.models.empty()) {
        const checker::CheckOptions options{arguments_.max_states, &interrupt_.flag()};
        verdict = checker.check(program, {&model, 1}, options).verdicts.front();
      } else {
        return;
      }
    } catch (const Error& error) {
      outcome.bad.emplace_back(expectation.where, error.what(), expectation.source_line);
      return;
    }
    for (Fairness fairness : columns_.fairnesses) {
      if (expectation.fairness && *expectation.fairness != fairness) continue;
      const Verdict decided = verdict.of(fairness);
      const Verdict expected = expectation.passes ? Verdict::pass : Verdict::fail;
      if (decided == expected || decided == Verdict::unknown) continue;
      outcome.unmet.emplace_back(
          expectation.where,
          fmt::format("expected {}:{} to {}; it {}", expectation.model, to_string(fairness),
                      to_string(expected), decided == Verdict::pass ? "passes" : "fails"),
          expectation.source_line);
    }
  }

  void write_witness_files(const std::vector<Outcome>& outcomes) const {
    std::vector<WitnessSource> sources;
    for (const Outcome& outcome : outcomes) {
      if (outcome.checked) sources.push_back({&*outcome.checked, &*outcome.test});
    }
    const checker::CheckOptions options{arguments_.max_states, &interrupt_.flag()};
    const std::size_t written = write_witnesses(
        sources, models_, columns_, {arguments_.witness, arguments_.format == "json", options});
    complain(fmt::format("{} witness{} written to {}", written, written == 1 ? "" : "es",
                         arguments_.witness));
  }

  std::size_t column_of(const std::string& model) const {
    return static_cast<std::size_t>(
        std::find(columns_.models.begin(), columns_.models.end(), model) - columns_.models.begin());
  }

  // The order of the models for a number of threads, computed when it is first asked for.
  const models::ModelOrder* order_for(int threads) {
    if (arguments_.format == "csv" || threads > models::kMaxOrderThreads) return nullptr;
    const std::lock_guard lock(orders_mutex_);
    auto& order = orders_[threads];
    if (!order) {
      order = std::make_unique<models::ModelOrder>(models_, threads, models::Scope::recurring);
    }
    return order.get();
  }

  std::string report_text(const std::vector<CheckedTest>& tests) const {
    if (arguments_.format == "csv") return report::verdict_csv(tests, columns_);
    if (arguments_.format == "json") return report::verdict_json(tests, columns_);
    return report::verdict_table(tests, columns_, output_style());
  }

  const CheckArguments& arguments_;
  const Interrupt interrupt_;
  models::Library library_;
  std::vector<ModelPtr> models_;
  report::VerdictColumns columns_;
  std::mutex orders_mutex_;
  std::map<int, std::unique_ptr<models::ModelOrder>> orders_;
};

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command =
      app.add_subcommand("check", "Decide whether tests are guaranteed to terminate");
  command
      ->add_option("PATH", arguments->paths,
                   "Test files, folders to search for .litmus and .txt files, or - for "
                   "standard input")
      ->required();
  command
      ->add_option("-m,--model", arguments->models,
                   "A model by name (OBE, 'OBE-k(k=3)') or the path of a model file; may be "
                   "repeated [all six standard models]")
      ->allow_extra_args(false);
  command->add_option("-f,--fairness", arguments->fairness, "weak, strong or both")
      ->check(CLI::IsMember({"weak", "strong", "both"}))
      ->capture_default_str();
  command->add_option("--format", arguments->format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
  command
      ->add_option("--against", arguments->against,
                   "A CSV with the columns test,model,fairness,verdict to compare with; may be "
                   "repeated")
      ->allow_extra_args(false);
  command->add_option("--witness", arguments->witness,
                      "A folder to write a witness to for every verdict that is fail; as JSON "
                      "with --format json, else as text");
  command->add_option("-j,--jobs", arguments->jobs, "Tests to decide at a time [one a core]")
      ->check(CLI::Range(1, 1024));
  command->add_option("--max-states", arguments->max_states, "States to explore of each test")
      ->check(CLI::Range(std::size_t{1}, checker::kHighestMaxStates))
      ->capture_default_str();
  command->footer(
      "Example: decide the tests of a folder under two models and compare with a table\n"
      "  headway check --model HSA --model OBE --against expected.csv litmus/");
  command->callback([arguments, &status] { status = Check(*arguments).run(); });
}

}  // namespace headway::cli
