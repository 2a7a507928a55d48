// headway reduce: the smallest programs a test reduces to with the same verdicts.
#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "lang/axb/source.hpp"
#include "synth/reduction.hpp"

namespace headway::cli {
namespace {

struct ReduceArguments : TestArguments {
  using TestArguments::TestArguments;
  std::string path;
  std::vector<std::string> models;
};

Outcome reduce(const ReduceArguments& arguments) {
  if (is_kernel_file(arguments.path)) {
    throw Error({arguments.path, 0, 0}, "a kernel; reductions are for tests of AXB instructions");
  }
  models::Library library;
  const lang::Test test = suite::load_test(arguments.path, {}, arguments.languages);
  const std::string name = test.name;
  const lang::axb::Code& code = lang::axb::placed_code_of(test, "reductions are");
  synth::Minimality minimality(find_models(library, arguments.models, code.topology()));
  const auto smallest = minimality.smallest(code);
  if (smallest.empty()) {
    print(name + " is minimal: whatever it reduces to has other verdicts.\n");
    return {};
  }
  const std::size_t count = smallest.size();
  print(
      fmt::format("{} is not minimal: it reduces to {} smallest program{} with the same "
                  "verdicts.\n",
                  name, count, count == 1 ? "" : "s"));
  for (const auto& reduced : smallest) {
    print("\n");
    lang::axb::Code current = code;
    for (const synth::Reduction& step : reduced.steps) {
      print("// " + describe(current, step) + "\n");
      current = apply(current, step);
    }
    print(lang::print(lang::axb::make_test(std::move(current), name + "-reduced")));
  }
  return {};
}

}  // namespace

void add_reduce(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ReduceArguments>(context);
  CLI::App* command =
      app.add_subcommand("reduce", "Find the smallest programs with the verdicts of a test");
  add_test_path(*command, arguments->path);
  add_models_option(*command, arguments->models,
                    "A model whose verdicts must stay, by name or path; may be repeated [all six, "
                    "at each level]");
  command->footer("Example:\n  headway reduce litmus/spin-mutex-3.litmus");
  command->callback([arguments, &context] { context.outcome = reduce(*arguments); });
}

}  // namespace headway::cli
