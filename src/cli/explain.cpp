// headway explain: why a test passes or fails under a model.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/check_every.hpp"
#include "cli/check_program.hpp"
#include "cli/check_targets.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/explain_memory.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/memory_tests.hpp"
#include "cli/options.hpp"
#include "engine/decider.hpp"
#include "report/explanation.hpp"
#include "report/groups_csv.hpp"
#include "report/table.hpp"

namespace headway::cli {
namespace {

struct ExplainArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::string threads;
  std::string model;
  std::string subgroups;  // a reading of them
  std::string target;
  std::string memory;  // a model of it
  std::string fairness = "weak";
  std::string format = "text";
  std::size_t max_states = checker::kDefaultMaxStates;
  double timeout = 0;  // seconds; 0: any, of a kernel kKernelSeconds
  KernelArguments kernels;
};

// The number of threads; nothing where none is given.
std::optional<int> number_of_threads(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const lang::Sizes sizes = parse_sizes(text);
  if (sizes.numbers().size() != 1) {
    throw Error(fmt::format("expected one number of threads, or any; found '{}'", text));
  }
  return *sizes.numbers().begin();
}

// Where none was named: of what is written in a language that people write programs in, the first
// of its own models under which it need not end; of other tests, the last of the standard models,
// which promise more and more. The first model, where the test ends under all.
models::ModelPtr choose_model(const models::Library& library, const lang::Test& test,
                              const lang::Program& program, models::Fairness fairness,
                              checker::CheckOptions options) {
  const engine::Decider decider(library, {engine::Models::Which::usual, library.standard(), {}},
                                "both", false);
  const std::vector<models::ModelPtr> models = decider.models_of(test);
  options.weak = fairness == models::Fairness::weak;
  options.strong = !options.weak;
  checker::Checker checker;
  const checker::CheckResult result = checker.check(program, models, options);
  models::ModelPtr chosen;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const checker::ModelVerdict& verdict = result.verdicts[m];
    if ((options.weak ? verdict.weak : verdict.strong) != checker::Verdict::fail) continue;
    if (chosen == nullptr || test.promise.empty()) chosen = models[m];
  }
  return chosen != nullptr ? chosen : models.front();
}

// Of kernels what is asked of a file, within its limits.
KernelArguments limited_kernels(const std::string& path, const ExplainArguments& arguments) {
  KernelArguments kernels = arguments.kernels;
  kernels.stop = StopSigns(&Interrupt::flag(), std::nullopt);
  kernels.seconds = seconds_for(path, kernels, arguments.timeout);
  kernels.max_states = std::min(kernels.max_states, arguments.max_states);
  return kernels;
}

// What is printed of one test; what is to be said of it besides goes to `remarks`.
std::string explain_one(const std::string& path, const ExplainArguments& arguments,
                        models::Library& library, Outcome& outcome,
                        std::vector<std::string>& remarks) {
  const KernelArguments kernels = limited_kernels(path, arguments);
  lang::Test test =
      load_test(path, number_of_threads(arguments.threads), arguments.languages, kernels);
  const std::string file = shown_path(path);
  std::string model_name = arguments.model;
  if (!arguments.target.empty()) {
    const engine::Target target = find_targets({arguments.target}).front();
    test = engine::on_target(test, target);
    if (model_name.empty()) model_name = target.model;
    if (test.name.empty()) test.name = file;
    test.name += " on " + target.name;
  } else if (!arguments.subgroups.empty()) {
    test.source = test.source->in_reading(lang::subgroup_reading_named(arguments.subgroups));
    if (test.name.empty()) test.name = file;
    test.name += fmt::format(" with --subgroups {}", arguments.subgroups);
  }
  const auto made = lang::make_program(test);
  const lang::Program& program = *made;
  const models::Fairness fairness =
      arguments.fairness == "weak" ? models::Fairness::weak : models::Fairness::strong;
  checker::CheckOptions options{arguments.max_states, &Interrupt::flag()};
  if (kernels.seconds > 0) options.deadline = StopSigns::after(kernels.seconds - test.seconds);
  const models::ModelPtr model = model_name.empty()
                                     ? choose_model(library, test, program, fairness, options)
                                     : library.find(model_name);
  const checker::Explanation explanation = checker::explain(program, *model, fairness, options);
  if (program.may_drop() && explanation.verdict == checker::Verdict::pass) {
    const std::vector<models::ModelPtr> asked = {model};
    const checker::CheckResult all = checker::Checker().check(program, asked, options);
    if (!all.open.empty()) {
      remarks.push_back(fmt::format("{}: unknown: {}", file, all.open));
      outcome.limit();
    }
  }
  for (const std::string& note : test.notes) remarks.push_back("note: " + note);
  for (const Error& warning : test.warnings) remarks.push_back("warning: " + warning.diagnostic());
  if (explanation.verdict == checker::Verdict::error && !test.expects_error) outcome.wrong();
  if (explanation.verdict == checker::Verdict::unknown && !Interrupt::flag()) {
    const Limit seen = options.signs().seen();
    const std::string limit = seen == Limit::time
                                  ? fmt::format("stopped after {} s", kernels.seconds)
                                  : fmt::format("more than {} states", arguments.max_states);
    remarks.push_back(
        fmt::format("{}: {}; {} may decide it", file, limit, what_may_help(seen, test.advice)));
    outcome.limit();
  }
  const report::Explained explained{test.name, file, program, *model, fairness, explanation};
  return arguments.format == "json" ? report::explanation_json(explained)
         : arguments.format == "csv"
             ? report::explanation_csv(explained)
             : report::folded(report::explanation_text(explained, fitting_style()));
}

// A program with a host side is explained as a whole, unless a kernel is named or a launch
// described.
std::optional<std::string> program_text(const std::string& path, const ExplainArguments& arguments,
                                        Outcome& outcome, std::vector<std::string>& remarks) {
  const std::filesystem::path file = input_path(path, arguments.kernels);
  if (!is_whole_program(file, arguments.kernels)) return std::nullopt;
  if (arguments.format != "text") {
    throw Error({path, 0, 0},
                "a program with a function main is explained as text; or name a --kernel");
  }
  KernelArguments kernels = arguments.kernels;
  kernels.stop = StopSigns(&Interrupt::flag(), std::nullopt);
  kernels.seconds = arguments.timeout;
  std::vector<std::string> models;
  if (!arguments.model.empty()) models.push_back(arguments.model);
  ProgramExplanation explained = explain_program(file.string(), models, kernels);
  remarks = std::move(explained.remarks);
  outcome.also(explained.outcome);
  return std::move(explained.text);
}

// None of these means anything where memory is asked about.
void require_no_programs_options(const ExplainArguments& arguments) {
  if (!arguments.subgroups.empty() || !arguments.target.empty() || arguments.fairness != "weak" ||
      arguments.format == "csv") {
    throw Error(
        "what memory may do is explained without --subgroups, --target, --fairness strong and "
        "--format csv");
  }
}

Outcome explain(const ExplainArguments& arguments) {
  const bool single = arguments.paths.size() == 1;
  if (!single && arguments.format == "csv") throw Error("--format csv goes with one TEST");
  if (arguments.threads == "any") {
    if (!single) throw Error("--threads any goes with one TEST");
    if (arguments.model.empty()) throw Error("--threads any: expected --model");
    if (arguments.format == "csv") throw Error("--threads any has no steps for --format csv");
    return explain_every(arguments.paths.front(), arguments.model, arguments.fairness,
                         arguments.format);
  }
  const Interrupt interrupt;
  models::Library library;
  Outcome outcome;
  const auto one = [&](const std::string& path, const Show& show) {
    if (!arguments.memory.empty() || is_memory_test(path)) {
      require_no_programs_options(arguments);
      return show(explain_memory({path, arguments.languages, parse_given_sizes(arguments.threads),
                                  limited_kernels(path, arguments), arguments.memory,
                                  arguments.model, arguments.format, arguments.timeout},
                                 library, outcome));
    }
    if (arguments.format == "dot") {
      throw Error({path, 0, 0}, "--format dot goes with --memory, or a test in herd's format");
    }
    std::vector<std::string> remarks;
    std::optional<std::string> text = program_text(path, arguments, outcome, remarks);
    show(text ? std::move(*text) : explain_one(path, arguments, library, outcome, remarks));
    for (const std::string& remark : remarks) complain(remark);
  };
  for_each_path(arguments.paths, arguments.format == "json", outcome, one);
  return outcome;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ExplainArguments>(context);
  CLI::App* command =
      app.add_subcommand("explain", "Show why a test fails, or why it passes, under a model");
  add_test_paths(*command, arguments->paths);
  add_kernel_options(*command, arguments->kernels);
  add_sizes_option(*command, arguments->threads,
                   "The number of threads of a family's member, or any: the proof for every "
                   "number");
  add_model_option(
      *command, arguments->model,
      "A model by name (OBE, 'OBE-k(k=3)') or the path of a model file [one of those that "
      "headway check decides, under which the test need not end]");
  command->add_option(
      "--subgroups", arguments->subgroups,
      "How the threads of a subgroup run, such as cm: one of those of headway check "
      "[as the text says]");
  command->add_option("--target", arguments->target,
                      "Where it runs: a target of headway targets, or the path of a target file "
                      "[nowhere]");
  add_fairness_option(*command, arguments->fairness);
  command->add_option("--memory", arguments->memory,
                      "A memory model, such as rc11 or FILE.cat, under which to explain a test "
                      "of the idiom language, or in herd's format [that of its language]");
  add_format_option(*command, arguments->format, {"text", "csv", "json", "dot"},
                    "text, csv (the steps, with the groups of each), json, or dot (of what memory "
                    "may do, for Graphviz)");
  add_max_states_option(*command, arguments->max_states);
  add_timeout_option(*command, arguments->timeout,
                     "Seconds to spend on the test [30 on a kernel, any on others]");
  command->footer(
      "Example: why the spin mutex may hang under HSA\n"
      "  headway explain litmus/spin-mutex.litmus --model HSA --fairness weak\n"
      "Example: why a kernel may hang\n"
      "  headway explain litmus/kernels/spin-wait.cu\n"
      "Example: an execution under a memory model\n"
      "  headway explain examples/memory/ranks.litmus --memory rc11 -m fair");
  command->callback([arguments, &context] { context.outcome = explain(*arguments); });
}

}  // namespace headway::cli
