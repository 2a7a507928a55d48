#include "cli/compare_memory.hpp"

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/memory_tests.hpp"
#include "consistency/distinguish/distinguish.hpp"
#include "consistency/models.hpp"
#include "report/memory_order.hpp"

namespace headway::cli {
namespace {

std::string common_language(const std::vector<const consistency::cat::Model*>& models) {
  try {
    return consistency::language_of(models);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; expected --language");
  }
}

}  // namespace

Outcome compare_memory(const MemoryComparison& comparison, models::Library& library) {
  if (comparison.models.size() != 2) {
    throw Error(fmt::format("--memory compares two memory models, such as sc tso; found {}",
                            comparison.models.size()));
  }
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  const consistency::cat::Model first = consistency::find_model(comparison.models[0]);
  const consistency::cat::Model second = consistency::find_model(comparison.models[1]);
  consistency::DistinguishQuestion question;
  question.first = &first;
  question.second = &second;
  question.space.language =
      comparison.language.empty() ? common_language({&first, &second}) : comparison.language;
  question.most_statements = comparison.most_statements;
  if (!comparison.progress.empty()) {
    question.progress = memory_progress(library, {comparison.progress}).front();
    question.space.awaits = true;
  }
  question.signs = signs_within(comparison.timeout);
  const consistency::Distinguished found = consistency::distinguish(question);
  const report::MemoryOrder order{first.name(), second.name(), question.space.language, found};
  print(comparison.format == "json" ? report::memory_order_json(order)
                                    : report::memory_order_text(order));
  Outcome outcome;
  if (!found.cut.empty() && !(found.only_first && found.only_second)) {
    complain(fmt::format("not all was decided: {}", found.cut));
    outcome.limit();
  }
  if (interrupt.flag()) outcome.interrupted();
  return outcome;
}

}  // namespace headway::cli
