// headway lts: the transition system of a test, for other tools and for the eye.
#include "report/lts.hpp"

#include "checker/labelled_graph.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "report/groups_csv.hpp"

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
  KernelArguments kernels;
};

Outcome lts(const LtsArguments& arguments) {
  models::Library library;
  models::ModelPtr model;
  if (!arguments.model.empty()) model = library.find(arguments.model);
  const lang::Test test =
      load_test(arguments.path, arguments.threads, arguments.languages, arguments.kernels);
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
  if (!graph) {  // else an interruption came too late to count
    if (interrupt.flag()) return Outcome().interrupted();
    complain(file + ": more than " + std::to_string(arguments.max_states) +
             " states; a higher --max-states may do");
    return Outcome().limit();
  }
  if (arguments.reduce) graph = checker::reduce(*graph);
  if (arguments.format == "aut") {
    print(report::lts_aut(*graph));
  } else if (arguments.format == "dot") {
    print(report::lts_dot(*graph, program));
  } else if (arguments.format == "csv") {
    print(report::lts_csv(*graph));
  } else {
    print(report::lts_json(*graph, program));
  }
  return {};
}

}  // namespace

void add_lts(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<LtsArguments>(context);
  CLI::App* command = app.add_subcommand("lts", "Write the transition system of a test");
  add_test_path(*command, arguments->path);
  add_kernel_options(*command, arguments->kernels);
  add_threads_option(*command, arguments->threads);
  add_model_option(*command, arguments->model, "A model, by name or path, whose fair sets to show");
  add_fairness_option(*command, arguments->fairness, {"weak", "strong"},
                      "weak or strong: which fair cycles to mark in dot and json");
  add_format_option(*command, arguments->format, {"aut", "dot", "csv", "json"},
                    "aut (CADP, mCRL2), dot (Graphviz), csv (with the groups of each step) or "
                    "json");
  add_choice_option(*command, "--view", arguments->view, {"steps", "events"},
                    "steps, or events: with the termination of each thread and of the whole");
  command->add_flag("--reduce", arguments->reduce, "Minimize by strong bisimulation");
  add_max_states_option(*command, arguments->max_states);
  command->footer(
      "Example: a picture of the spin mutex with its fair cycles under HSA\n"
      "  headway lts litmus/spin-mutex.litmus --model HSA --format dot | dot -Tsvg > mutex.svg");
  command->callback([arguments, &context] { context.outcome = lts(*arguments); });
}

}  // namespace headway::cli
