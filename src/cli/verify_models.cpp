#ifdef HEADWAY_KERNELS
#include "cli/verify_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "cli/failing_models.hpp"
#include "kernel/test/analysis.hpp"
#include "lang/test.hpp"

namespace headway::cli {

void ask_of_models(verify::Options& options, std::vector<models::ModelPtr> models) {
  if (models.empty()) return;
  std::vector<std::string> names;
  names.reserve(models.size());
  for (const models::ModelPtr& model : models) names.push_back(model->name());
  options.models = fmt::format("{}", fmt::join(names, ", "));
  options.not_ending = [models = std::move(models)](
                           const auto& analysis, const auto& spec,
                           const StopSigns& stop) -> std::optional<std::string> {
    try {
      return failing_models(*kernel::checker_program(analysis, spec), models, stop);
    } catch (const lang::Undecided&) {
      return {};
    }
  };
}

std::vector<models::ModelPtr> named_models(const models::Library& library,
                                           const kernel::VerifyDirective& directive) {
  std::vector<models::ModelPtr> result;
  for (const kernel::VerifyDirective::Model& one : directive.models) {
    try {
      result.push_back(library.named(one.name));
    } catch (const Error& error) {
      throw Error(one.where, error.what(), one.source_line);
    }
  }
  return result;
}

std::vector<models::ModelPtr> joined(std::vector<models::ModelPtr> all,
                                     const std::vector<models::ModelPtr>& more) {
  for (const models::ModelPtr& model : more) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const models::ModelPtr& other) {
      return other->name() == model->name();
    });
    if (!known) all.push_back(model);
  }
  return all;
}

}  // namespace headway::cli
#endif
