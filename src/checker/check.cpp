#include "checker/check.hpp"

#include <algorithm>
#include <chrono>

#include "checker/sweep.hpp"

namespace headway::checker {
namespace {

using models::ModelPtr;

Verdict verdict(bool has_fair_cycle) { return has_fair_cycle ? Verdict::fail : Verdict::pass; }

// Strongly fair executions are weakly fair, so a test without a weakly fair cycle has no strongly
// fair one either.
ModelVerdict decide(FairCycles& cycles, const FairSets& fair, const CheckOptions& options) {
  ModelVerdict result;
  result.weak = verdict(cycles.has_weak(fair));
  if (options.strong) {
    result.strong = result.weak == Verdict::pass ? Verdict::pass : verdict(cycles.has_strong(fair));
  }
  if (!options.weak) result.weak = Verdict::unknown;
  return result;
}

bool track_started(std::span<const ModelPtr> models, const CheckOptions& options) {
  return !options.reductions.history ||
         std::any_of(models.begin(), models.end(),
                     [](const auto& model) { return model->looks_at_started(); });
}

// The threads that symmetry takes for the same.
std::vector<ThreadSet> interchangeable(const PackedProgram& packed) {
  std::vector<ThreadSet> result;
  for (const PackedProgram::Kind& kind : packed.kinds()) {
    if (kind.size == 1) continue;
    ThreadSet& threads = result.emplace_back();
    for (const int slot : kind.slots()) threads |= ThreadSet::single(packed.slots()[slot].thread);
  }
  return result;
}

Swept decide_by_sweep(const PackedProgram& packed, std::span<const ModelPtr> models,
                      const CheckOptions& options, std::vector<ModelVerdict>& verdicts,
                      Limit& stopped_by, bool& gone_wrong) {
  SweepOptions sweeping;
  sweeping.weak = options.weak;
  sweeping.strong = options.strong;
  sweeping.sleep_sets = options.reductions.sleep_sets;
  // What goes wrong is an error, however many verdicts are known to be fail.
  sweeping.stop_early = options.reductions.early_stop && !packed.may_fail();
  sweeping.max_states = options.max_states;
  sweeping.max_memory = options.max_memory;
  sweeping.signs = {options.stop, options.deadline};
  sweeping.progress = options.progress;
  const auto start = std::chrono::steady_clock::now();
  SweepResult found = sweep(packed, models, sweeping);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  verdicts = std::move(found.verdicts);
  stopped_by = found.stopped_by;
  gone_wrong = found.gone_wrong;
  return {models.size(),     found.states,
          found.transitions, packed.tracks_started(),
          packed.words(),    interchangeable(packed),
          found.heights,     packed.highest() + 1,
          found.memory,      taken.count()};
}

// Whatever the model, the program can go wrong.
void go_wrong(std::vector<int> steps, const CheckOptions& options, CheckResult& result) {
  result.error = ErrorTrace{std::move(steps)};
  result.stopped_by = Limit::none;
  for (ModelVerdict& verdict : result.verdicts) {
    verdict.weak = options.weak ? Verdict::error : Verdict::unknown;
    verdict.strong = options.strong ? Verdict::error : Verdict::unknown;
  }
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
    case Verdict::error:
      return "error";
  }
  return {};
}

// Returns whether the LTS has at most `small` states or an error was found; if so, all `models` are
// decided, those that remember F as far as `most` states of their products allow. If not, result
// says what stopped it.
bool Checker::decide_by_lts(const lang::Program& program, Models models,
                            const CheckOptions& options, std::size_t small, std::size_t most,
                            CheckResult& result) {
  ExploreOptions explore;
  explore.track_started = track_started(models, options);
  explore.max_states = small;
  explore.stop = options.stop;
  explore.deadline = options.deadline;
  explore.stop_at_failure = true;
  const Lts* lts = explorer_.explore(program, explore);
  result.states = explorer_.explored_states();
  result.transitions = explorer_.explored_transitions();
  result.stopped_by = explorer_.stopped_by();
  if (const auto way = explorer_.way_to_failure()) {
    go_wrong(*way, options, result);
    return true;
  }
  if (lts == nullptr) return false;

  const StopSigns signs(options.stop, options.deadline);
  cycles_.prepare(*lts);
  for (std::size_t m = 0; m < models.size(); ++m) {
    const models::Model& model = *models[m];
    if (model.history_determined()) {
      fair_.annotate(*lts, model);
      result.verdicts[m] = decide(cycles_, fair_, options);
    } else if (FairProduct product; product.build(*lts, model, most, signs)) {
      FairCycles cycles;
      cycles.prepare(product.lts());
      result.verdicts[m] = decide(cycles, product.fair_sets(), options);
    } else {
      result.stopped_by = signs.seen() != Limit::none ? signs.seen() : Limit::states;
    }
  }
  return true;
}

// Sweeps for the models that allow it, and builds the LTS for the others.
void Checker::decide_apart(const lang::Program& program, const PackedProgram& packed, Models models,
                           const CheckOptions& options, std::size_t most, CheckResult& result) {
  std::vector<std::size_t> places[2];
  std::vector<ModelPtr> parts[2];
  for (std::size_t m = 0; m < models.size(); ++m) {
    const int part = models[m]->history_determined() ? 0 : 1;
    places[part].push_back(m);
    parts[part].push_back(models[m]);
  }
  const auto put = [&](int part, const std::vector<ModelVerdict>& verdicts) {
    for (std::size_t i = 0; i < places[part].size(); ++i) {
      result.verdicts[places[part][i]] = verdicts[i];
    }
  };
  std::vector<ModelVerdict> verdicts;
  bool gone_wrong = false;
  result.swept =
      decide_by_sweep(packed, parts[0], options, verdicts, result.stopped_by, gone_wrong);
  result.states = result.swept->states;
  result.transitions = result.swept->transitions;
  put(0, verdicts);
  if (gone_wrong) {  // a sweep knows no executions
    explorer_.explore(program, {false, most, options.stop, options.deadline, true});
    return go_wrong(explorer_.way_to_failure().value_or(std::vector<int>()), options, result);
  }
  if (parts[1].empty()) return;

  CheckResult rest;
  rest.verdicts.resize(parts[1].size());
  decide_by_lts(program, parts[1], options, most, most, rest);
  result.states += rest.states;
  result.transitions += rest.transitions;
  if (rest.error) return go_wrong(rest.error->steps, options, result);
  if (result.stopped_by == Limit::none) result.stopped_by = rest.stopped_by;
  put(1, rest.verdicts);
}

CheckResult Checker::check(const lang::Program& program, Models models,
                           const CheckOptions& options) {
  CheckResult result;
  result.verdicts.resize(models.size());
  const std::size_t affordable = options.max_memory / lts_bytes_a_state(program);
  const std::size_t most = std::min({options.max_states, affordable, kHighestMaxStates});
  const bool may_sweep = options.reductions.layers &&
                         std::any_of(models.begin(), models.end(), [](const ModelPtr& model) {
                           return model->history_determined();
                         });
  const std::size_t small = may_sweep ? std::min(most, options.small) : most;
  const bool is_small = decide_by_lts(program, models, options, small, most, result);
  if (!is_small && may_sweep && result.stopped_by == Limit::states) {
    const auto tables = program.step_tables();
    const auto packed = tables ? PackedProgram::pack(*tables, {track_started(models, options),
                                                               options.reductions.symmetry})
                               : std::nullopt;
    if (packed) {
      decide_apart(program, *packed, models, options, most, result);
    } else {
      decide_by_lts(program, models, options, most, most, result);
    }
  }
  if (result.stopped_by == Limit::states && affordable < options.max_states && !result.swept) {
    result.stopped_by = Limit::memory;
  }
  result.complete = result.stopped_by == Limit::none;
  return result;
}

}  // namespace headway::checker
