// headway explain: why a test passes or fails under a model.
#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "report/explanation.hpp"

namespace headway::cli {
namespace {

struct ExplainArguments : TestArguments {
  using TestArguments::TestArguments;
  std::string path;
  std::optional<int> threads;
  std::string model;
  std::string fairness = "weak";
  std::string format = "text";
  std::size_t max_states = checker::kDefaultMaxStates;
};

int explain(const ExplainArguments& arguments) {
  models::Library library;
  const models::ModelPtr model = library.find(arguments.model);
  const lang::Test test = load_test(arguments.path, arguments.threads, arguments.languages);
  const std::string file = arguments.path == "-" ? "<stdin>" : arguments.path;
  const auto made = lang::make_program(test);
  const lang::Program& program = *made;
  const models::Fairness fairness =
      arguments.fairness == "weak" ? models::Fairness::weak : models::Fairness::strong;
  const Interrupt interrupt;
  const checker::CheckOptions options{arguments.max_states, &interrupt.flag()};
  const checker::Explanation explanation = checker::explain(program, *model, fairness, options);
  const report::Explained explained{test.name, file, program, *model, fairness, explanation};
  print(arguments.format == "json" ? report::explanation_json(explained)
                                   : report::explanation_text(explained, output_style()));
  if (explanation.verdict == checker::Verdict::error && !test.expects_error) return kUnmet;
  if (explanation.verdict != checker::Verdict::unknown) return kFine;
  if (interrupt.flag()) return kInterrupted;
  complain(file + ": more than " + std::to_string(arguments.max_states) +
           " states; a higher --max-states may decide it");
  return kLimit;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ExplainArguments>(context);
  CLI::App* command =
      app.add_subcommand("explain", "Show why a test fails, or why it passes, under a model");
  command->add_option("TEST", arguments->path, "A test file, or - for standard input")->required();
  command
      ->add_option("-n,--threads", arguments->threads, "The number of threads of a family's member")
      ->check(CLI::Range(1, kMaxThreads));
  command
      ->add_option("-m,--model", arguments->model,
                   "A model by name (OBE, 'OBE-k(k=3)') or the path of a model file")
      ->required();
  command->add_option("-f,--fairness", arguments->fairness, "weak or strong")
      ->check(CLI::IsMember({"weak", "strong"}))
      ->capture_default_str();
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--max-states", arguments->max_states, "States to explore")
      ->check(CLI::Range(std::size_t{1}, checker::kHighestMaxStates))
      ->capture_default_str();
  command->footer(
      "Example: why the spin mutex may hang under HSA\n"
      "  headway explain litmus/spin-mutex.litmus --model HSA --fairness weak");
  command->callback([arguments, &context] { context.status = explain(*arguments); });
}

}  // namespace headway::cli
