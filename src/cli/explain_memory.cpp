#include "cli/explain_memory.hpp"

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/memory_tests.hpp"
#include "consistency/models.hpp"
#include "consistency/progress.hpp"
#include "report/memory_witness.hpp"

namespace headway::cli {
namespace {

using consistency::Program;
using report::ShownExecution;

// Of what the condition says, and of what is flagged.
std::vector<ShownExecution> shown_of(const Program& program, const consistency::Outcomes& found) {
  std::vector<ShownExecution> shown;
  if (found.flag) shown.push_back({found.flagged.begin()->first, &*found.flag});
  if (program.condition_text.empty()) {
    if (!found.flag && found.cut.empty()) shown.push_back({"nothing goes wrong"});
    return shown;
  }
  const std::string said = fmt::format("{} {}", program.condition_text,
                                       found.holds(program) ? "holds" : "does not hold");
  if (found.decisive && found.flag == found.decisive) {
    shown.back().what += ", and " + said;
  } else if (found.decisive) {
    shown.push_back({said, &*found.decisive});
  } else if (found.cut.empty()) {
    const bool must = program.quantifier == Program::Quantifier::forall;
    shown.push_back({fmt::format("{}: in {} of {} executions", said, must ? "all" : "none",
                                 found.positive + found.negative)});
  }
  return shown;
}

}  // namespace

std::string explain_memory(const MemoryExplanation& asked, models::Library& library,
                           Outcome& outcome) {
  const MemoryTest test = read_memory_test(asked.path, asked.languages, asked.sizes, asked.kernels);
  if (test.members.size() > 1) {
    const std::size_t many = test.members.size();
    throw Error({test.file, 0, 0},
                test.of_kernels ? fmt::format("{} kernels; expected --kernel", many)
                                : fmt::format("a family of {} tests; expected --threads", many));
  }
  const consistency::cat::Model memory =
      consistency::find_model(asked.memory.empty() ? memory_of(test) : asked.memory);
  std::vector<Error> errors;
  const std::vector<Program> programs = programs_of(test, memory, errors);
  if (!errors.empty()) throw Error(errors.front());
  const Program& program = programs.front();
  consistency::OutcomeOptions options;
  options.signs = signs_within(asked.timeout);
  const consistency::Outcomes found = consistency::outcomes(program, memory, options);
  std::vector<ShownExecution> shown;
  std::string cut = found.cut, model;
  consistency::Termination ends;
  if (found.error) {
    shown.push_back({found.fault, &*found.error});
  } else if (asked.model.empty()) {
    shown = shown_of(program, found);
  } else {
    const auto progress = memory_progress(library, {asked.model});
    model = progress.front()->name();
    ends = consistency::termination(program, memory, progress, options);
    if (!ends.cut.empty()) cut = ends.cut;
    if (found.flag) {
      shown.push_back({found.flagged.begin()->first, &*found.flag});
    } else if (ends.verdicts.front() == consistency::Termination::Verdict::fail) {
      shown.push_back({"an execution that never ends", &*ends.witnesses.front()});
    } else if (cut.empty()) {
      shown.push_back({"every execution that is fair ends"});
    }
  }
  if (!cut.empty() && shown.empty()) {
    outcome.limit();
    complain(fmt::format("{}: unknown: {}", asked.path, cut));
  }
  const report::ShownExecutions all{program.name, asked.path, memory.name(), model,
                                    std::move(shown)};
  if (asked.format == "json") return report::executions_json(all);
  if (asked.format == "text") return report::executions_text(all);
  std::string graph = report::executions_dot(all);
  if (graph.empty()) complain(asked.path + ": there is no execution to draw");
  return graph;
}

}  // namespace headway::cli
