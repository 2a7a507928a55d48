// headway suite conformance and annotate: suites as folders of litmus files, with what is known
// about each test in its file.
#include <algorithm>
#include <numeric>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "suite/annotate.hpp"

namespace headway::cli {
namespace {

struct WriteArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string reading;  // conformance: MODEL or MODEL:FAIRNESS
  std::string out;
};

Outcome conformance(const WriteArguments& arguments) {
  SuiteRun run(arguments);
  const Wanted wanted = parse_wanted(run.library(), arguments.reading);
  auto models = run.library().standard();
  auto its = std::find_if(models.begin(), models.end(),
                          [&](const auto& model) { return model->name() == wanted.model->name(); });
  if (its == models.end()) its = models.insert(models.end(), wanted.model);
  const auto column = static_cast<std::size_t>(its - models.begin());
  require_no_tests(arguments.out);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  const suite::SuiteOrder order(models, suite.tests);
  const suite::Annotator annotator(suite.tests, matrix, order);
  const auto passes = [&](std::size_t test, models::Fairness fairness) {
    return matrix.verdict(test, {column, fairness}) == checker::Verdict::pass;
  };
  std::vector<std::size_t> conforming;
  std::vector<std::string> names;
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    // A weak pass is a strong one, so that weak stands for both.
    if (!passes(t, wanted.fairness.value_or(models::Fairness::weak))) continue;
    conforming.push_back(t);
    names.push_back(suite.tests[t].name);
  }
  write_tests(arguments.out, annotator, conforming, std::move(names));
  return run.finish();
}

Outcome annotate(const WriteArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  require_no_tests(arguments.out);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  const suite::SuiteOrder order(models, suite.tests);
  const suite::Annotator annotator(suite.tests, matrix, order);
  std::vector<std::size_t> all(suite.tests.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  write_tests(arguments.out, annotator, all, annotator.names());
  return run.finish();
}

}  // namespace

void add_suite_conformance(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<WriteArguments>(context);
  CLI::App* command =
      app.add_subcommand("conformance", "Write the conformance suite of a model as litmus files");
  command
      ->add_option("MODEL", arguments->reading,
                   "MODEL, MODEL:weak or MODEL:strong; a model by name or the path of a model "
                   "file. Without fairness: tests that pass under both readings")
      ->required();
  add_suite_path(*command, arguments->path);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  add_out_option(*command, arguments->out, "A new or empty folder")->required();
  command->footer(
      "Each file expects what is known of its test under the model and the standard ones.\n"
      "Example: tests that an occupancy-bound GPU must pass\n"
      "  headway suite conformance OBE litmus/ -o obe/");
  command->callback([arguments, &context] { context.outcome = conformance(*arguments); });
}

void add_suite_annotate(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<WriteArguments>(context);
  CLI::App* command = app.add_subcommand(
      "annotate", "Write a suite with readable names, verdicts and places in the classification");
  add_suite_path(*command, arguments->path);
  add_models_option(*command, arguments->models);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  add_out_option(*command, arguments->out, "A new or empty folder")->required();
  command->footer(
      "Example: the minimal tests of two threads and three instructions\n"
      "  headway synth -k 3 --minimal | headway suite annotate - -o minimal/");
  command->callback([arguments, &context] { context.outcome = annotate(*arguments); });
}

}  // namespace headway::cli
