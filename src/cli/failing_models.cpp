#include "cli/failing_models.hpp"

namespace headway::cli {

checker::CheckOptions weak_limits(const StopSigns& stop) {
  checker::CheckOptions limits;
  limits.max_states = 2'000'000;
  limits.stop = stop.stop();
  limits.deadline = stop.deadline();
  limits.strong = false;
  return limits;
}

std::vector<checker::Verdict> weak_verdicts(const lang::Program& program,
                                            const std::vector<models::ModelPtr>& models,
                                            const StopSigns& stop) {
  checker::Checker checker;
  std::vector<checker::Verdict> result;
  for (const auto& one : checker.check(program, models, weak_limits(stop)).verdicts) {
    result.push_back(one.weak);
  }
  return result;
}

std::optional<std::string> failing_models(const lang::Program& program,
                                          const std::vector<models::ModelPtr>& models,
                                          const StopSigns& stop) {
  const std::vector<checker::Verdict> verdicts = weak_verdicts(program, models, stop);
  std::string names;
  for (std::size_t m = 0; m < models.size(); ++m) {
    if (verdicts[m] == checker::Verdict::unknown) return {};
    if (verdicts[m] != checker::Verdict::pass) {
      names += (names.empty() ? "" : ", ") + models[m]->name();
    }
  }
  return names;
}

}  // namespace headway::cli
