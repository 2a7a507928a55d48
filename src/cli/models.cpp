// headway models: list, show and compare progress models, list and show memory models.
#include "consistency/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/check.hpp"
#include "cli/app.hpp"
#include "cli/compare_memory.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "report/model_order.hpp"

namespace headway::cli {
namespace {

using models::ModelPtr;

Outcome list() {
  report::TextTable table;
  const models::Library library;
  table.add_row({{"model", report::Color::dim},
                 {"F", report::Color::dim},
                 {"what is guaranteed to run", report::Color::dim}});
  for (const ModelPtr& model : library.all()) {
    table.add_row({{model->name(), report::Color::none},
                   {model->definition(), report::Color::none},
                   {model->summary(), report::Color::none}});
  }
  print(table.to_string(output_style()));
  report::TextTable memory;
  memory.add_row({{"memory model", report::Color::dim},
                  {"what", report::Color::dim},
                  {"after", report::Color::dim}});
  for (const consistency::ModelSummary& model : consistency::model_summaries()) {
    memory.add_row({{model.name, report::Color::none},
                    {model.title, report::Color::none},
                    {model.source, report::Color::none}});
  }
  print("\n" + memory.to_string(output_style()));
  return {};
}

// A model file that names one for each level.
std::string file_of_levels(const models::Model& model) {
  std::string name = model.name(), scopes, definitions;
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return c == '=' || c == ',' || c == '(' || c == ')' || c == ' '; }, '-');
  for (const Level level : kLevels) {
    const models::Model* member = model.at(level);
    definitions += fmt::format("# {}: F = {}\n", to_string(level),
                               member != nullptr ? member->definition() : "alive");
    scopes += fmt::format("  {}: {}\n", to_string(level),
                          member != nullptr ? fmt::format("\"{}\"", member->name()) : "fair");
  }
  return fmt::format("# {}\n{}name: {}\nscopes:\n{}", model.name(), definitions, name, scopes);
}

Outcome show(const std::string& specification) {
  models::Library library;
  const ModelPtr model = library.find(specification);
  if (specification.find('=') < specification.find('(')) {  // a model for each level
    print(file_of_levels(*model));
    return {};
  }
  for (const models::ModelFile& file : library.files()) {
    const bool same = model->name() == file.name || model->name().starts_with(file.name + "(");
    if (!same) continue;
    print("# " + model->name() + "\n" + file.content);
    if (!file.content.ends_with('\n')) print("\n");
    break;
  }
  return {};
}

Outcome show_memory(const std::string& name) {
  print(std::string(consistency::model_text(name)));
  return {};
}

// Statements of the tests that tell memory models apart.
constexpr int kMemoryStatements = 4;
constexpr int kMostMemoryStatements = 8;

struct CompareArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> models;
  int threads = 3;
  std::string launch;  // empty: flat
  std::string histories = "recurring";
  std::string suite;
  std::string format = "table";
  std::size_t max_states = checker::kDefaultMaxStates;
};

// For each model that is not at most another, and each fairness, a smallest test of the suite
// that passes under the first and fails under the second.
class SuiteSearch {
 public:
  SuiteSearch(const models::ModelOrder& order, const CompareArguments& arguments)
      : order_(order), arguments_(arguments) {}

  std::vector<report::DistinguishingTest> run(std::vector<Error>& errors) {
    struct Found {
      lang::Test test;
      std::filesystem::path path;
    };
    std::vector<Found> tests;
    for (const auto& path : find_tests({arguments_.suite}, errors)) {
      try {
        for (lang::Test& test : suite::load_tests(path, {}, arguments_.languages))
          tests.push_back({std::move(test), path});
      } catch (const Error& error) {
        errors.push_back(error);
      }
    }
    const auto rank = [](const Found& found) {
      return std::tuple(found.test.thread_count(), found.test.instruction_count(), found.path);
    };
    std::sort(tests.begin(), tests.end(),
              [&](const Found& a, const Found& b) { return rank(a) < rank(b); });
    for (const Found& found : tests) {
      if (interrupt_.flag()) break;
      examine(found.test, found.path);
    }
    std::vector<report::DistinguishingTest> result;
    for (auto& [key, test] : found_) result.push_back(std::move(test));
    return result;
  }

 private:
  void examine(const lang::Test& test, const std::filesystem::path& path) {
    const auto made = lang::make_program(test);
    const lang::Program& program = *made;
    const checker::CheckOptions options{arguments_.max_states, &interrupt_.flag()};
    const checker::CheckResult result = checker_.check(program, order_.models(), options);
    for (std::size_t a = 0; a < order_.models().size(); ++a) {
      for (std::size_t b = 0; b < order_.models().size(); ++b) {
        for (models::Fairness fairness : models::kFairnesses) {
          const bool tells = result.verdicts[a].of(fairness) == checker::Verdict::pass &&
                             result.verdicts[b].of(fairness) == checker::Verdict::fail;
          if (!tells) continue;
          found_.try_emplace({a, b, fairness},
                             report::DistinguishingTest{a, b, fairness, test.name, path.string()});
        }
      }
    }
  }

  const models::ModelOrder& order_;
  const CompareArguments& arguments_;
  const Interrupt interrupt_;
  checker::Checker checker_;
  std::map<std::tuple<std::size_t, std::size_t, models::Fairness>, report::DistinguishingTest>
      found_;
};

Outcome compare(const CompareArguments& arguments) {
  models::Library library;
  const models::Scope scope =
      arguments.histories == "all" ? models::Scope::all : models::Scope::recurring;
  const auto compared = find_models(library, arguments.models);
  const Topology launch =
      arguments.launch.empty() ? Topology(arguments.threads) : parse_launch(arguments.launch);
  const bool may_block = models::ModelOrder::in_limits(compared, launch.threads(), true);
  if (!models::ModelOrder::in_limits(compared, launch.threads(), false)) {
    throw Error(fmt::format("'--launch {}' has {} threads; expected at most {}", arguments.launch,
                            launch.threads(), models::kMaxOrderThreads));
  }
  const models::ModelOrder order(compared, launch, scope, may_block);
  report::OrderReport report{order, scope, may_block, false, {}};
  std::vector<Error> errors;
  if (!arguments.suite.empty()) {
    report.has_suite = true;
    report.tests = SuiteSearch(order, arguments).run(errors);
  }
  if (arguments.format == "json") {
    print(report::order_json(report));
  } else if (arguments.format == "dot") {
    print(report::order_dot(report));
  } else {
    print(report::order_table(report, output_style()));
  }
  for (const Error& error : errors) complain(error);
  // An interruption does not count: it leaves the order as it is, with fewer tests beside it.
  Outcome outcome;
  if (!errors.empty()) outcome.bad_input();
  return outcome;
}

}  // namespace

void add_models(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("models", "List, show and compare models");
  command->require_subcommand(1);
  command->footer(
      "Example: where a model of your own stands among the others\n"
      "  headway models compare HSA OBE LOBE models/obe-k.yaml --threads 3");

  CLI::App* list_command = command->add_subcommand("list", "List the models headway knows");
  list_command->footer("Example:\n  headway models list");
  list_command->callback([&context] { context.outcome = list(); });

  auto shown = std::make_shared<std::string>();
  auto of_memory = std::make_shared<bool>(false);
  CLI::App* show_command = command->add_subcommand("show", "Print the file of a model");
  show_command->add_option("MODEL", *shown, "A model by name or the path of a model file")
      ->required();
  show_command->add_flag("--memory", *of_memory, "A memory model, such as rc11");
  show_command->footer("Example:\n  headway models show LOBE");
  show_command->callback([shown, of_memory, &context] {
    context.outcome = *of_memory ? show_memory(*shown) : show(*shown);
  });

  auto arguments = std::make_shared<CompareArguments>(context);
  CLI::App* compare_command = command->add_subcommand(
      "compare", "Decide which models guarantee more than which, after every history");
  compare_command->add_option("MODEL", arguments->models,
                              "Models by name or path [all six standard models]");
  add_number_option(*compare_command, "-n,--threads", arguments->threads, 1,
                    models::kMaxOrderThreads, "Number of threads");
  compare_command->add_option(
      "--launch", arguments->launch,
      "Instead of --threads a launch that is not flat: 2x4 is two workgroups of four threads, "
      "2x2x4 two of two subgroups of four");
  add_choice_option(
      *compare_command, "--histories", arguments->histories, {"recurring", "all"},
      "recurring: those that can lie on a cycle, which alone decide verdicts; or all");
  compare_command->add_option("--suite", arguments->suite,
                              "Tests in which to look for the smallest that tell models apart");
  add_format_option(*compare_command, arguments->format, {"table", "json", "dot"});
  compare_command->footer(
      "Example: a picture of the order for three threads\n"
      "  headway models compare --threads 3 --format dot | dot -Tsvg > models.svg\n"
      "Example: what does TSO allow that is not sequentially consistent?\n"
      "  headway models compare --memory sc tso");
  auto memory = std::make_shared<MemoryComparison>();
  memory->most_statements = kMemoryStatements;
  auto compares_memory = std::make_shared<bool>(false);
  CLI::Option* flag = compare_command->add_flag(
      "--memory", *compares_memory,
      "Two memory models instead, such as sc tso or FILE.cat: the smallest "
      "litmus tests that tell them apart");
  add_choice_option(*compare_command, "--language", memory->language,
                    {"C", "OPENCL", "PTX", "VULKAN"},
                    "With --memory the language of the tests: C, OPENCL, PTX or VULKAN [that of "
                    "the models, or C]");
  add_model_option(*compare_command, memory->progress,
                   "With --memory a progress model: tests may also differ in whether they end "
                   "[none]");
  add_number_option(*compare_command, "-k,--max-instructions", memory->most_statements, 1,
                    kMostMemoryStatements, "With --memory the size of tests");
  add_timeout_option(*compare_command, memory->timeout, "With --memory seconds to search [any]");
  for (const char* option : {"--language", "--model", "--max-instructions", "--timeout"}) {
    compare_command->get_option(option)->needs(flag);
  }
  for (const char* option : {"--threads", "--launch", "--histories", "--suite"}) {
    compare_command->get_option(option)->excludes(flag);
  }
  compare_command->callback([arguments, memory, compares_memory, &context] {
    if (!*compares_memory) {
      context.outcome = compare(*arguments);
      return;
    }
    memory->models = arguments->models;
    memory->format = arguments->format;
    if (memory->format == "dot") throw Error("--format dot does not go with --memory");
    models::Library library;
    context.outcome = compare_memory(*memory, library);
  });
}

}  // namespace headway::cli
