// headway lts: the transition system of a test, for other tools and for the eye.
#include "report/lts.hpp"

#include "checker/labelled_graph.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"

namespace headway::cli {
namespace {

struct LtsArguments : TestArguments {
  using TestArguments::TestArguments;
  std::string path;
  std::optional<int> threads;
  std::string model;
  std::string fairness = "weak";
  std::string format = "aut";
  std::string view = "steps";
  bool reduce = false;
  std::size_t max_states = 1'000'000;
};

int lts(const LtsArguments& arguments) {
  models::Library library;
  models::ModelPtr model;
  if (!arguments.model.empty()) model = library.find(arguments.model);
  const lang::Test test = load_test(arguments.path, arguments.threads, arguments.languages);
  const std::string file = arguments.path == "-" ? "<stdin>" : arguments.path;
  const auto made = lang::make_program(test);
  const lang::Program& program = *made;
  const models::Fairness fairness =
      arguments.fairness == "weak" ? models::Fairness::weak : models::Fairness::strong;
  const Interrupt interrupt;
  const checker::CheckOptions options{arguments.max_states, &interrupt.flag()};
  std::optional<checker::LabelledGraph> graph =
      arguments.view == "steps" ? checker::step_view(program, model.get(), fairness, options)
                                : checker::event_view(program, model.get(), options);
  if (!graph) {
    if (interrupt.flag()) return kInterrupted;
    complain(file + ": more than " + std::to_string(arguments.max_states) +
             " states; a higher --max-states may do");
    return kLimit;
  }
  if (arguments.reduce) graph = checker::reduce(*graph);
  if (arguments.format == "aut") {
    print(report::lts_aut(*graph));
  } else if (arguments.format == "dot") {
    print(report::lts_dot(*graph, program));
  } else {
    print(report::lts_json(*graph, program));
  }
  return kFine;
}

}  // namespace

void add_lts(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<LtsArguments>(context);
  CLI::App* command = app.add_subcommand("lts", "Write the transition system of a test");
  command->add_option("TEST", arguments->path, "A test file, or - for standard input")->required();
  command
      ->add_option("-n,--threads", arguments->threads, "The number of threads of a family's member")
      ->check(CLI::Range(1, kMaxThreads));
  command->add_option("-m,--model", arguments->model,
                      "A model, by name or path, whose fair sets to show");
  command
      ->add_option("-f,--fairness", arguments->fairness,
                   "weak or strong: which fair cycles to mark in dot and json")
      ->check(CLI::IsMember({"weak", "strong"}))
      ->capture_default_str();
  command->add_option("--format", arguments->format, "aut (CADP, mCRL2), dot (Graphviz) or json")
      ->check(CLI::IsMember({"aut", "dot", "json"}))
      ->capture_default_str();
  command
      ->add_option("--view", arguments->view,
                   "steps, or events: with the termination of each thread and of the whole")
      ->check(CLI::IsMember({"steps", "events"}))
      ->capture_default_str();
  command->add_flag("--reduce", arguments->reduce, "Minimize by strong bisimulation");
  command->add_option("--max-states", arguments->max_states, "States to explore")
      ->check(CLI::Range(std::size_t{1}, checker::kHighestMaxStates))
      ->capture_default_str();
  command->footer(
      "Example: a picture of the spin mutex with its fair cycles under HSA\n"
      "  headway lts litmus/spin-mutex.litmus --model HSA --format dot | dot -Tsvg > mutex.svg");
  command->callback([arguments, &context] { context.status = lts(*arguments); });
}

}  // namespace headway::cli
