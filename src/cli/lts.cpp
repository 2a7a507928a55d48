// headway lts: the transition system of a test, for other tools and for the eye.
#include "report/lts.hpp"

#include <fmt/format.h>

#include "checker/labelled_graph.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "lang/axb/program.hpp"
#include "lang/axb/source.hpp"
#include "report/fairness_export.hpp"
#include "report/groups_csv.hpp"

namespace headway::cli {
namespace {

struct LtsArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::optional<int> threads;
  std::string model;
  std::string fairness = "weak";
  std::string format = "aut";
  std::string view = "steps";
  std::string labels = "threads";
  bool reduce = false;
  std::size_t max_states = 1'000'000;
  KernelArguments kernels;
};

// "AXB(m, 0, 0, false, -)": location, check value, target, whether it exchanges, and what. Of other
// languages the statement as it is written.
checker::InstructionOf instruction_of(const lang::Test& test, const lang::Program& program) {
  const auto* axb = dynamic_cast<const lang::axb::AxbProgram*>(&program);
  if (axb == nullptr) {
    return [&](const lang::Word* state, lang::Step step) {
      return program.describe_step(state, step).statement;
    };
  }
  return [axb, code = lang::axb::find_placed_code(test)](const lang::Word* state, lang::Step step) {
    const lang::axb::Thread& thread = code->threads[step.thread];
    const auto& i = thread.instructions[static_cast<std::size_t>(axb->pc(state, step.thread))];
    if (i.is_barrier()) return axb->describe_step(state, step).statement;
    return fmt::format("AXB({}, {}, {}, {}, {})", code->locations[i.location].name, i.check_value,
                       i.jump == thread.length() ? "END" : std::to_string(i.jump), i.exchanges,
                       i.exchanges ? std::to_string(i.exchange_value) : "-");
  };
}

// What formats of fairness ask for.
void require_plain(const LtsArguments& arguments, const lang::Program& program) {
  if (arguments.model.empty()) throw Error("--format " + arguments.format + " goes with --model");
  if (arguments.view == "events") {
    throw Error("--format " + arguments.format + " is about steps; expected no --view events");
  }
  if (!program.topology().is_flat() || program.may_choose_fairly()) {
    throw Error("--format " + arguments.format +
                " is for workgroups of one thread without fair choices");
  }
  if (arguments.format == "mcl" && (program.may_block() || program.may_choose())) {
    throw Error("--format mcl is for threads that neither wait blocked nor choose; hoa may do");
  }
}

void lts_one(const std::string& path, const LtsArguments& arguments, const models::ModelPtr& model,
             Outcome& outcome, const Show& show) {
  const lang::Test test =
      load_test(path, arguments.threads, arguments.languages, arguments.kernels);
  for (const std::string& note : test.notes) complain("note: " + note);
  const std::string file = shown_path(path);
  const bool several = arguments.paths.size() > 1;
  const auto made = lang::make_program(test);
  const lang::Program& program = *made;
  const models::Fairness fairness =
      arguments.fairness == "weak" ? models::Fairness::weak : models::Fairness::strong;
  const checker::CheckOptions options{arguments.max_states, &Interrupt::flag()};
  const bool of_fairness = arguments.format == "hoa" || arguments.format == "mcl";
  if (of_fairness) require_plain(arguments, program);
  checker::InstructionOf instruction;
  if (arguments.labels == "instruction" && !of_fairness) {
    instruction = instruction_of(test, program);
  }
  std::optional<checker::LabelledGraph> graph =
      arguments.view == "steps"
          ? checker::step_view(program, model.get(), fairness, options, instruction)
          : checker::event_view(program, model.get(), options, instruction);
  if (!graph) {  // else an interruption came too late to count
    if (Interrupt::flag()) return;
    complain(file + ": more than " + std::to_string(arguments.max_states) +
             " states; a higher --max-states may do");
    outcome.limit();
    return;
  }
  if (of_fairness) {
    const std::string name = (several ? file + ": " : "") + test.name + " under " + model->name();
    show(arguments.format == "hoa" ? report::fair_executions_hoa(*graph, fairness, name)
                                   : report::fails_mcl(*graph, fairness, name));
    return;
  }
  if (arguments.reduce) graph = checker::reduce(*graph);
  if (arguments.format == "aut") {
    show(report::lts_aut(*graph));
  } else if (arguments.format == "dot") {
    show((several ? "// " + file + "\n" : "") + report::lts_dot(*graph, program));
  } else if (arguments.format == "csv") {
    show(report::lts_csv(*graph));
  } else {
    show(report::lts_json(*graph, program, several ? file : ""));
  }
}

Outcome lts(const LtsArguments& arguments) {
  // Files of these hold one.
  for (const char* format : {"aut", "csv", "mcl"}) {
    if (arguments.paths.size() > 1 && arguments.format == format) {
      throw Error(
          fmt::format("--format {} goes with one TEST; dot, json and hoa take several", format));
    }
  }
  models::Library library;
  models::ModelPtr model;
  if (!arguments.model.empty()) model = library.find(arguments.model);
  const Interrupt interrupt;
  Outcome outcome;
  for_each_path(arguments.paths, arguments.format == "json", outcome,
                [&](const std::string& path, const Show& show) {
                  lts_one(path, arguments, model, outcome, show);
                });
  return outcome;
}

}  // namespace

void add_lts(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<LtsArguments>(context);
  CLI::App* command = app.add_subcommand("lts", "Write the transition system of a test");
  add_test_paths(*command, arguments->paths);
  add_kernel_options(*command, arguments->kernels);
  add_threads_option(*command, arguments->threads);
  add_model_option(*command, arguments->model, "A model, by name or path, whose fair sets to show");
  add_fairness_option(
      *command, arguments->fairness, {"weak", "strong"},
      "weak or strong: which fair cycles to mark in dot and json, or to speak of in hoa and mcl");
  add_format_option(*command, arguments->format, {"aut", "dot", "csv", "json", "hoa", "mcl"},
                    "aut (CADP, mCRL2), dot (Graphviz), csv (with the groups of each step), json; "
                    "of the fair executions that never end hoa (Spot) and mcl (CADP)");
  add_choice_option(*command, "--labels", arguments->labels, {"threads", "instruction"},
                    "What a step says: which thread takes it, or the instruction as well");
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
