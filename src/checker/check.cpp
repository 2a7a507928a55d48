#include "checker/check.hpp"

#include <algorithm>

namespace headway::checker {
namespace {

Verdict verdict(bool has_fair_cycle) { return has_fair_cycle ? Verdict::fail : Verdict::pass; }

// Strongly fair executions are weakly fair, so a test without a weakly fair cycle has no strongly
// fair one either.
ModelVerdict decide(FairCycles& cycles, const FairSets& fair) {
  ModelVerdict result;
  result.weak = verdict(cycles.has_weak(fair));
  result.strong = result.weak == Verdict::pass ? Verdict::pass : verdict(cycles.has_strong(fair));
  return result;
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::unknown:
      return "unknown";
  }
  return {};
}

CheckResult Checker::check(const lang::Program& program, std::span<const models::ModelPtr> models,
                           const CheckOptions& options) {
  CheckResult result;
  result.verdicts.resize(models.size());
  ExploreOptions explore;
  explore.track_started = std::any_of(models.begin(), models.end(),
                                      [](const auto& model) { return model->looks_at_started(); });
  explore.max_states = options.max_states;
  explore.stop = options.stop;
  const Lts* lts = explorer_.explore(program, explore);
  result.states = explorer_.explored_states();
  result.transitions = explorer_.explored_transitions();
  result.complete = lts != nullptr;
  if (lts == nullptr) return result;

  cycles_.prepare(*lts);
  for (std::size_t m = 0; m < models.size(); ++m) {
    const models::Model& model = *models[m];
    if (model.history_determined()) {
      fair_.annotate(*lts, model);
      result.verdicts[m] = decide(cycles_, fair_);
    } else if (FairProduct product; product.build(*lts, model, options.max_states)) {
      FairCycles cycles;
      cycles.prepare(product.lts());
      result.verdicts[m] = decide(cycles, product.fair_sets());
    } else {
      result.complete = false;
    }
  }
  return result;
}

}  // namespace headway::checker
