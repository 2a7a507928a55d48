// headway repair: the weakest orders and scopes under which a litmus test is as it should be.
#include "consistency/repair/repair.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/progress.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/memory_tests.hpp"
#include "cli/options.hpp"
#include "consistency/idiom/strengths.hpp"
#include "consistency/idiom/translate.hpp"
#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "report/repair.hpp"

namespace headway::cli {
namespace {

constexpr double kRepairSeconds = 30;

using consistency::Program;
using consistency::litmus::Choice;

struct RepairArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::vector<std::string> memory;
  std::vector<std::string> models;
  std::string threads;  // of a family; empty: the fewest that it declares
  std::string format = "table";
  double timeout = kRepairSeconds;
};

// The program of a text of the idiom language, of a family the one with the fewest threads, and
// what else could stand in the text.
Program idiom_of(const std::string& file, const std::string& text,
                 const std::optional<lang::Sizes>& sizes, const std::string& language,
                 const lang::Languages& languages, std::vector<Choice>* choices) {
  const std::vector<lang::Test> members = lang::parse_all(text, file, sizes, languages);
  if (choices != nullptr) {
    *choices =
        consistency::idiom::choices_of(consistency::idiom::syntax_of(members.front()), language);
  }
  return consistency::idiom::translate(members.front(), file, language);
}

report::RepairedTest repair_one(const std::filesystem::path& file, const RepairArguments& arguments,
                                const std::vector<models::ModelPtr>& progress) {
  const std::optional<lang::Sizes> sizes = parse_given_sizes(arguments.threads);
  const MemoryTest test = read_memory_test(file, arguments.languages, sizes, {});
  if (!test.in_herds_format() && !consistency::idiom::is_idiom(test.members.front())) {
    throw Error({test.file, 0, 0},
                test.of_kernels
                    ? "orders and scopes of kernels are not repaired; expected a litmus test of "
                      "memory or a program of the idiom language"
                    : "has no orders and scopes to repair; expected a litmus test of memory or a "
                      "program of the idiom language");
  }
  std::vector<std::string> names = arguments.memory;
  if (names.empty()) names.push_back(memory_of(test));
  std::vector<consistency::cat::Model> memory;
  memory.reserve(names.size());
  for (const std::string& model : names) memory.push_back(consistency::find_model(model));

  consistency::RepairQuestion question{test.text, {}, {}, progress, {}};
  report::RepairedTest result{test.file, test.text, {}, {}};
  for (const consistency::cat::Model& model : memory) {
    question.memory.push_back(&model);
    result.memory.push_back(model.name());
  }
  const std::string language = consistency::language_of(question.memory);
  if (test.in_herds_format()) {
    const consistency::Program program = consistency::litmus::parse(test.file, test.text);
    for (const consistency::cat::Model& model : memory) {
      consistency::require_language(model, program, test.file);
    }
  }
  question.read = [&](const std::string& text, std::vector<Choice>* choices) {
    return test.in_herds_format()
               ? consistency::litmus::parse(test.file, text, choices)
               : idiom_of(test.file, text, sizes, language, arguments.languages, choices);
  };
  question.options.signs = signs_within(arguments.timeout);
  result.repair = consistency::repair(question);
  return result;
}

void tell(const report::RepairedTest& test, const RepairArguments& arguments, bool is_first) {
  if (arguments.format == "table") {
    print((is_first ? "" : "\n") + report::repair_text(test, fitting_style()));
  } else if (arguments.format == "diff") {
    print(report::repair_diff(test));
  }
}

Outcome repair(const RepairArguments& arguments) {
  const Interrupt interrupt;
  models::Library library;
  const std::vector<models::ModelPtr> progress = memory_progress(library, arguments.models);
  const Found found = find_memory_tests(arguments.paths);
  std::vector<Error> errors = found.errors;
  std::vector<report::RepairedTest> tests;
  Outcome outcome;
  Progress bar("tests", found.files.size());
  for (const std::filesystem::path& file : found.files) {
    if (interrupt.flag()) break;
    try {
      tests.push_back(repair_one(file, arguments, progress));
      const report::RepairedTest& test = tests.back();
      tell(test, arguments, tests.size() == 1);
      if (!test.repair.has_demand) {
        complain(test.file +
                 ": note: its condition asks what may be, and demands nothing; what must not be is "
                 "'~exists', what must be 'forall'");
      }
      if (test.repair.as_strong) {
        outcome.unmet();
        if (arguments.format == "diff") complain(test.file + ": nothing is strong enough");
      } else if (!test.repair.cut.empty()) {
        outcome.limit();
        complain(fmt::format("{}: there may be weaker answers: {}", test.file, test.repair.cut));
      }
    } catch (const Error& error) {
      errors.push_back(error);
    }
    bar.advance();
  }
  if (arguments.format == "json") print(report::repair_json(tests));
  if (arguments.format == "csv") print(report::repair_csv(tests));
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (interrupt.flag()) outcome.interrupted();
  return outcome;
}

}  // namespace

void add_repair(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<RepairArguments>(context);
  CLI::App* command = app.add_subcommand(
      "repair", "Find the weakest orders and scopes under which a test keeps what it asks");
  add_test_paths(*command, arguments->paths);
  command->add_option("--memory", arguments->memory,
                      "A memory model, such as rc11 or FILE.cat, under which all has to hold; may "
                      "be repeated [that of the test's language]");
  add_models_option(*command, arguments->models,
                    "A progress model under which the test has to end, by name or path; may be "
                    "repeated [none]");
  add_sizes_option(*command, arguments->threads,
                   "The number of threads of a family's member [the fewest that it declares]");
  add_format_option(*command, arguments->format, {"table", "csv", "json", "diff"});
  add_timeout_option(*command, arguments->timeout, "Seconds to spend on each test");
  command->footer(
      "What is asked of a test is its condition (forall or ~exists), that nothing is flagged, "
      "such\n"
      "as a race, and that it ends under each --model. Every memory order, scope and fence that\n"
      "the test has is made weaker or stronger; the answers are all that cannot be made weaker.\n"
      "Example:\n  headway repair examples/memory/lock.litmus\n"
      "Example: as a patch\n  headway repair examples/memory/lock.litmus --format diff");
  command->callback([arguments, &context] { context.outcome = repair(*arguments); });
}

}  // namespace headway::cli
