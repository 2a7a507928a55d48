// headway suite idioms: which known idioms a suite holds.
#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "lang/axb/source.hpp"
#include "report/suite.hpp"
#include "suite/idioms.hpp"
#include "synth/space/well_formed.hpp"

namespace headway::cli {
namespace {

struct IdiomArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string known;  // another suite of idioms
};

// What keeps an idiom out of a suite, if that is easily said.
std::string why_missing(const lang::Test& idiom, const suite::Suite& suite) {
  std::string reasons;
  const lang::axb::Code* code = lang::axb::find_code(idiom);
  if (code == nullptr) return "synthesis makes AXB tests only";
  for (const synth::Constraint constraint : synth::violated_constraints(*code)) {
    if (constraint == synth::Constraint::effective_stores) continue;  // optional
    reasons += (reasons.empty() ? "" : ", ") + to_string(constraint);
  }
  if (!reasons.empty()) return "synthesis makes no such test (" + reasons + ")";
  const bool larger = std::all_of(suite.tests.begin(), suite.tests.end(), [&](const auto& test) {
    return idiom.instruction_count() > test.instruction_count() ||
           idiom.thread_count() > test.thread_count();
  });
  return larger ? "larger than every test of the suite" : "";
}

Outcome idioms(const IdiomArguments& arguments) {
  SuiteRun run(arguments);
  const suite::Idioms known =
      arguments.known.empty() ? suite::Idioms() : suite::Idioms(run.load(arguments.known).tests);
  const suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  std::vector<report::FoundIdiom> found;
  for (const lang::Test& idiom : known.all()) found.push_back({idiom.name, {}, {}});
  for (const lang::Test& test : suite.tests) {
    const lang::Test* idiom = known.recognize(test);
    if (idiom == nullptr) continue;
    const auto entry = std::find_if(found.begin(), found.end(),
                                    [&](const auto& other) { return other.name == idiom->name; });
    if (entry == found.end()) {  // of the library, which is not listed otherwise
      found.push_back({idiom->name, {test.name}, {}});
    } else {
      entry->tests.push_back(test.name);
    }
  }
  for (std::size_t i = 0; i < known.all().size(); ++i) {
    if (found[i].tests.empty()) found[i].note = why_missing(known.all()[i], suite);
  }
  print(arguments.format == "json"  ? report::idiom_json(found)
        : arguments.format == "csv" ? report::idiom_csv(found)
                                    : report::idiom_table(found).to_string(output_style()));
  return run.finish();
}

}  // namespace

void add_suite_idioms(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<IdiomArguments>(context);
  CLI::App* command = app.add_subcommand("idioms", "Which known idioms a suite holds");
  add_suite_path(*command, arguments->path);
  add_format_option(*command, arguments->format);
  command->add_option("--idioms", arguments->known,
                      "Look for the tests of this suite instead of the tests of litmus/");
  command->footer(
      "Names of locations do not matter; the order of threads does.\n"
      "Example:\n"
      "  headway suite idioms tests/data/published/tests");
  command->callback([arguments, &context] { context.outcome = idioms(*arguments); });
}

}  // namespace headway::cli
