// headway residency: how many threads must be resident for a test to be guaranteed to terminate.
#include "report/residency.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.hpp"
#include "base/progress.hpp"
#include "cli/app.hpp"
#include "cli/check_every.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "report/table.hpp"
#include "report/wrong_run.hpp"

namespace headway::cli {
namespace {

struct ResidencyArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::string threads;
  std::string format = "table";
  std::size_t max_states = checker::kHighestMaxStates;
  KernelArguments kernels;
  double timeout = 0;  // 0: 30 on a kernel, any on others
};

// What the tests of a file have in common: their name without the size.
std::string family_name(const std::vector<lang::Test>& tests) {
  std::string name = tests.front().name;
  const std::string size = fmt::format("-{}", tests.front().source->size());
  if (tests.front().source->sized() && name.ends_with(size)) name.resize(name.size() - size.size());
  return name;
}

void residency_one(const std::string& path, const ResidencyArguments& arguments,
                   const models::Library& library, Outcome& outcome, const Show& show) {
  const std::optional<lang::Sizes> sizes = parse_given_sizes(arguments.threads);
  const double seconds = seconds_for(path, arguments.kernels, arguments.timeout);
  KernelArguments kernels = arguments.kernels;
  kernels.seconds = seconds;
  kernels.stop = StopSigns(&Interrupt::flag(), std::nullopt);
  std::vector<lang::Test> tests;
  if (is_kernel_file(path, arguments.kernels) && !sizes) {
    // Several are no sizes of one.
    tests.push_back(load_test(path, {}, arguments.languages, kernels));
  } else {
    tests = load_tests(path, sizes, arguments.languages, kernels);
  }
  const std::string file = shown_path(path);
  checker::Checker checker;
  report::ResidencyReport report{family_name(tests), {}, arguments.paths.size() > 1 ? file : ""};
  Progress progress("sizes", tests.size());
  for (const lang::Test& test : tests) {
    if (Interrupt::flag()) break;
    for (const std::string& note : test.notes) complain("note: " + note);
    const auto program = lang::make_program(test);
    checker::CheckOptions options{arguments.max_states, &Interrupt::flag()};
    options.max_memory = available_memory() / 10 * 9;
    if (seconds > 0) options.deadline = StopSigns::after(seconds - test.seconds);
    report.sizes.push_back(checker::find_residency(
        checker, *program, checker::residency_ladder(library, program->topology()), options));
    // Workgroups of one thread are workgroups, too.
    checker::Residency& size = report.sizes.back();
    if (test.source->language() == "kernel" && !size.workgroups) size.workgroups = size.threads;
    if (Interrupt::flag()) {
      report.sizes.pop_back();
      break;
    }
    progress.advance();
    const checker::CheckResult& result = report.sizes.back().result;
    if (result.error) {
      complain(fmt::format("{}: {} goes wrong: {}", file, test.name,
                           report::wrong_run_summary(checker::wrong_run(*program, *result.error))));
      outcome.wrong();
    } else if (!result.complete) {
      complain(fmt::format(
          "{}: {}: unknown: stopped at {} states; {} may decide it", file, test.name, result.states,
          result.stopped_by == Limit::memory ? "more memory"
                                             : what_may_help(result.stopped_by, test.advice)));
      outcome.limit();
    }
  }
  const bool wrong = std::ranges::any_of(
      report.sizes, [](const checker::Residency& size) { return size.result.error.has_value(); });
  if (arguments.format == "csv") {
    show(report::residency_csv(report));
  } else if (arguments.format == "json") {
    show(report::residency_json(report));
  } else if (!wrong) {  // else there is nothing to say but what was said
    show(report::folded(report::residency_text(report, output_style())));
  }
  if (!Interrupt::flag()) return;
  complain(fmt::format("interrupted: {} of {} sizes decided", report.sizes.size(), tests.size()));
}

Outcome residency(const ResidencyArguments& arguments) {
  const bool single = arguments.paths.size() == 1;
  if (!single && (arguments.threads == "any" || arguments.format == "csv")) {
    throw Error(fmt::format("{} goes with one TEST",
                            arguments.threads == "any" ? "--threads any" : "--format csv"));
  }
  if (arguments.threads == "any") return residency_every(arguments.paths.front(), arguments.format);
  const models::Library library;
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  Outcome outcome;
  for_each_path(arguments.paths, arguments.format == "json", outcome,
                [&](const std::string& path, const Show& show) {
                  residency_one(path, arguments, library, outcome, show);
                });
  return outcome;
}

}  // namespace

void add_residency(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ResidencyArguments>(context);
  CLI::App* command = app.add_subcommand(
      "residency",
      "Find how many threads, or workgroups, must be resident for a test to terminate");
  add_test_paths(*command, arguments->paths);
  add_kernel_options(*command, arguments->kernels);
  add_sizes_option(*command, arguments->threads,
                   "Numbers of threads of a family, such as 2..8 or 2,4,8, or any: every number "
                   "[those that the file declares]");
  add_format_option(*command, arguments->format);
  add_max_states_option(*command, arguments->max_states, "States to explore of each size");
  add_timeout_option(*command, arguments->timeout,
                     "Seconds to spend on each size [30 on a kernel, any on others]");
  command->footer(
      "Prints, for each number of threads N, the smallest k such that OBE-k guarantees\n"
      "termination; of workgroups of several threads these are counted. 0 where started threads "
      "going on is enough, 'never' where not even\n"
      "k = N suffices.\n"
      "Example: what a counter barrier needs\n"
      "  headway residency litmus/idioms/counter-barrier.litmus --threads 2..6");
  command->callback([arguments, &context] { context.outcome = residency(*arguments); });
}

}  // namespace headway::cli
