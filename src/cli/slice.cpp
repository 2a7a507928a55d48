// headway slice: the synchronization of a kernel as a program of the idiom language, which is
// printed when it has the verdicts of the kernel.
#ifdef HEADWAY_KERNELS
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "checker/check.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "models/library.hpp"

namespace headway::cli {
namespace {

using checker::ModelVerdict;
using checker::Verdict;

struct SliceArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::string out;
  std::size_t max_states = checker::kHighestMaxStates;
  double timeout = kKernelSeconds;
  KernelArguments kernels;
};

// "expect { pass OBE, fair; fail HSA:weak; }", of the models that all tests are about.
std::string expectations(const std::vector<models::ModelPtr>& models,
                         const std::vector<ModelVerdict>& verdicts) {
  std::string passes, fails;
  const auto add = [](std::string& to, const std::string& name) {
    to += (to.empty() ? " " : ", ") + name;
  };
  for (std::size_t m = 0; m < models::kStandardModels; ++m) {
    const std::string name = models[m]->name();
    const ModelVerdict& verdict = verdicts[m];
    if (verdict.weak == verdict.strong) {
      add(verdict.weak == Verdict::pass ? passes : fails, name);
      continue;
    }
    add(verdict.weak == Verdict::pass ? passes : fails, name + ":weak");
    add(verdict.strong == Verdict::pass ? passes : fails, name + ":strong");
  }
  std::string result = "\nexpect {\n";
  if (!passes.empty()) result += "  pass" + passes + ";\n";
  if (!fails.empty()) result += "  fail" + fails + ";\n";
  return result + "}\n";
}

// Of one kernel; where there are several, its file stands in front.
void slice_one(const std::string& path, const SliceArguments& arguments, Outcome& outcome,
               const Show& show) {
  if (!is_kernel_file(path, arguments.kernels)) throw no_kernel(path);
  KernelArguments kernels = arguments.kernels;
  kernels.stop = StopSigns(&Interrupt::flag(), std::nullopt);
  kernels.seconds = arguments.timeout;
  kernels.max_states = std::min(kernels.max_states, arguments.max_states);
  const lang::Test test = load_test(path, {}, arguments.languages, kernels);
  for (const std::string& note : test.notes) complain("note: " + note);
  const models::Library library;
  const std::vector<models::ModelPtr> models = library.all();
  checker::Checker checker;
  checker::CheckOptions options{arguments.max_states, &Interrupt::flag()};
  options.max_memory = available_memory() / 10 * 9;
  options.deadline = StopSigns::after(arguments.timeout - test.seconds);
  try {
    const auto program = lang::make_program(test);
    kernel::ExploreOptions explore;
    explore.max_states = std::min(explore.max_states, arguments.max_states);
    explore.stop = options.signs();
    std::string text = kernel::slice_text(test, explore);
    const lang::Test made = lang::parse(text, "the slice", arguments.languages);
    const checker::CheckResult of_kernel = checker.check(*program, models, options);
    const checker::CheckResult of_slice = checker.check(*lang::make_program(made), models, options);
    if (Interrupt::flag()) return;  // which the exit status tells
    if (of_slice.error ||
        (of_slice.complete && of_kernel.complete && of_slice.verdicts != of_kernel.verdicts)) {
      throw lang::Undecided("unsupported: its slice does not have its verdicts, and is not shown");
    }
    if (!of_slice.complete || !of_kernel.complete) {
      const Limit seen = options.signs().seen();
      throw lang::Undecided(fmt::format(
          "unknown: whether its slice has its verdicts was not found out within {}; {} may tell",
          seen == Limit::time ? fmt::format("{} s", arguments.timeout)
                              : fmt::format("{} states", arguments.max_states),
          what_may_help(seen, test.advice)));
    }
    text += expectations(models, of_slice.verdicts);
    if (!arguments.out.empty()) {
      write_file(arguments.out, text);
    } else if (arguments.paths.size() > 1) {
      show(fmt::format("// {}\n{}", shown_path(path), text));
    } else {
      show(text);
    }
  } catch (const lang::Undecided& why) {
    complain(fmt::format("{}: {}: {}", shown_path(path), test.name, why.what()));
    outcome.limit();
  }
}

Outcome slice(const SliceArguments& arguments) {
  if (arguments.paths.size() > 1 && !arguments.out.empty()) {
    throw Error("--out goes with one kernel; several are printed one below the other");
  }
  const Interrupt interrupt;
  Outcome outcome;
  for_each_path(arguments.paths, false, outcome, [&](const std::string& path, const Show& show) {
    slice_one(path, arguments, outcome, show);
  });
  return outcome;
}

}  // namespace

void add_slice(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SliceArguments>(context);
  CLI::App* command =
      app.add_subcommand("slice", "Write what decides whether a kernel ends as a test of its own");
  command->add_option("KERNEL", arguments->paths, "Kernel files, or - for standard input, with -x")
      ->required();
  add_out_option(*command, arguments->out, "Where to write it [standard output]");
  add_kernel_options(*command, arguments->kernels);
  add_max_states_option(*command, arguments->max_states);
  add_timeout_option(*command, arguments->timeout, "Seconds to spend on the kernel [30]");
  command->footer(
      "Prints a program of the idiom language for the launch of one kernel, with the verdicts of\n"
      "the kernel under every model, which it is held against. What cannot be said is told with\n"
      "its place, and the exit status is 3.\n"
      "Example: a look-back as a test\n"
      "  headway slice lookback.cu > lookback.litmus && headway check lookback.litmus");
  command->callback([arguments, &context] { context.outcome = slice(*arguments); });
}

}  // namespace headway::cli
#endif
