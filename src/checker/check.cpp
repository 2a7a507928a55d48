#include "checker/check.hpp"

#include <algorithm>
#include <chrono>

#include "checker/endings.hpp"
#include "checker/sweep/state_sweeps.hpp"
#include "checker/sweep/sweep.hpp"
#include "lang/bounded_tables.hpp"

namespace headway::checker {
namespace {

using models::ModelPtr;

// Strongly fair executions are weakly fair, so a test without a weakly fair cycle has no strongly
// fair one either.
ModelVerdict decide(const Analysis::View& view, const CheckOptions& options) {
  ModelVerdict result;
  result.weak = view.verdict(Fairness::weak);
  if (options.strong) {
    result.strong = result.weak == Verdict::pass ? Verdict::pass : view.verdict(Fairness::strong);
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

SweepOptions sweep_options(const lang::Program& program, const CheckOptions& options) {
  SweepOptions sweeping;
  sweeping.weak = options.weak;
  sweeping.strong = options.strong;
  sweeping.sleep_sets = options.reductions.sleep_sets;
  // What goes wrong is an error, however many verdicts are known to be fail.
  sweeping.stop_early = options.reductions.early_stop && !program.may_fail();
  sweeping.max_states = options.max_states;
  sweeping.max_memory = options.max_memory;
  sweeping.signs = options.signs();
  sweeping.progress = options.progress;
  return sweeping;
}

// Step tables as far as the limits go. What remains within them, when there are none, is for
// whoever sweeps states.
lang::BoundedTables tables_of(const lang::Program& program, const CheckOptions& options) {
  if (const auto* bounded = dynamic_cast<const lang::MakesBoundedTables*>(&program)) {
    return bounded->tables_within({options.signs(), options.max_states, options.max_memory / 2});
  }
  lang::BoundedTables result{program.step_tables(), {}, Limit::none};
  if (!result.tables) result.why_none = program.why_no_tables();
  return result;
}

// Sweeps the step tables of a program where it has some, else its states.
SweepResult decide_by_sweep(const lang::Program& program, std::span<const ModelPtr> models,
                            const CheckOptions& options, Swept& swept) {
  const SweepOptions sweeping = sweep_options(program, options);
  swept.models = models.size();
  swept.tracks_started = track_started(models, options);
  swept.leaf = program.topology().leaf_name();
  const auto start = std::chrono::steady_clock::now();
  SweepResult found;
  const lang::BoundedTables tabled = tables_of(program, options);
  const auto& tables = tabled.tables;
  if (tabled.stopped_by != Limit::none) {
    found.stopped_by = tabled.stopped_by;
    found.verdicts.resize(models.size());
    swept.no_tables = tabled.why_none;
    return found;
  }
  const auto packed =
      tables ? PackedProgram::pack(*tables, {swept.tracks_started, options.reductions.symmetry})
             : std::nullopt;
  if (packed && packed->words() <= kMaxSweepWords) {
    swept.words = packed->words();
    swept.interchangeable = interchangeable(*packed);
    swept.all_heights = packed->highest() + 1;
    found = sweep(*packed, models, sweeping);
  } else {
    swept.no_tables = tables ? "its local states do not fit into tables" : tabled.why_none;
    swept.words = program.words();
    swept.all_heights = program_heights(program, swept.tracks_started);
    const Reductions& reductions = options.reductions;
    SweepOptions of_states = sweeping;
    of_states.stop_early = reductions.early_stop;
    const StateSweeps all =
        sweep_states(program, models,
                     {reductions.symmetry, reductions.silent_steps, reductions.history}, of_states);
    found = all.found;
    swept.interchangeable = all.interchangeable;
    swept.silent_steps = all.silent_steps;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  swept.seconds = taken.count();
  swept.states = found.states;
  swept.transitions = found.transitions;
  swept.heights = found.heights;
  swept.memory = found.memory;
  return found;
}

// Whatever the model, the program can go wrong.
void go_wrong(std::vector<Step> steps, const CheckOptions& options, CheckResult& result) {
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

// The verdict of a model before that owes the same in each history.
const ModelVerdict* Checker::decided_alike(const std::vector<GroupSet>& owed) const {
  for (const auto& [other, verdict] : alike_) {
    if (other == owed) return &verdict;
  }
  return nullptr;
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
  explore.signs = options.signs();
  explore.stop_at_failure = true;
  const bool explored = analysis_.explore(program, explore);
  result.states = analysis_.states();
  result.transitions = analysis_.transitions();
  result.stopped_by = analysis_.stopped_by();
  if (const auto way = analysis_.way_to_failure()) {
    go_wrong(*way, options, result);
    return true;
  }
  if (!explored) return false;

  const bool flat = program.topology().is_flat();
  alike_.clear();
  for (std::size_t m = 0; m < models.size(); ++m) {
    if (const auto view = analysis_.under(*models[m], most)) {
      const bool by_history = !flat && models[m]->history_determined();
      const ModelVerdict* const known = by_history ? decided_alike(view->fair().owed()) : nullptr;
      const ModelVerdict& verdict = result.verdicts[m] =
          known != nullptr ? *known : decide(*view, options);
      if (by_history && known == nullptr) alike_.emplace_back(view->fair().owed(), verdict);
      const bool stopped = (options.weak && verdict.weak == Verdict::unknown) ||
                           (options.strong && verdict.strong == Verdict::unknown);
      if (stopped) result.stopped_by = options.signs().seen();
    } else {
      result.stopped_by = analysis_.stopped_by();
    }
  }
  return true;
}

// Sweeps for the models that allow it, and builds the LTS for the others.
void Checker::decide_apart(const lang::Program& program, Models models, const CheckOptions& options,
                           std::size_t most, CheckResult& result) {
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
  result.swept.emplace();
  const SweepResult found = decide_by_sweep(program, parts[0], options, *result.swept);
  result.stopped_by = found.stopped_by;
  result.states = found.states;
  result.transitions = found.transitions;
  put(0, found.verdicts);
  if (found.gone_wrong) {  // a sweep knows no executions
    analysis_.explore(program, {false, most, options.signs(), true});
    return go_wrong(analysis_.way_to_failure().value_or(std::vector<Step>()), options, result);
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

// What there is to a verdict of a program that ends in states which are no ends: of an execution
// that is none, or of what has not been looked at. There a program that has more executions may
// pass, too.
void Checker::settle_endings(const lang::Program& program, Models models,
                             const CheckOptions& options, CheckResult& result) {
  if (!result.complete || result.error) return;
  const std::size_t affordable = options.max_memory / lts_bytes_a_state(program);
  const ExploreOptions explore{false, std::min({options.max_states, affordable, kHighestMaxStates}),
                               options.signs(), false};
  const std::optional<Endings> endings = endings_of(program, explore);
  const auto passes_stay = [&](const std::vector<ModelVerdict>* wide, const std::string& why) {
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (Verdict ModelVerdict::*reading : {&ModelVerdict::weak, &ModelVerdict::strong}) {
        Verdict& own = result.verdicts[m].*reading;
        // Which states come again and again, strong fairness asks, and they are others there; who
        // ends under weak fairness does so under strong.
        const bool ends = wide != nullptr && (*wide)[m].weak == Verdict::pass;
        if (own != Verdict::pass || ends) continue;
        own = Verdict::unknown;
        result.complete = false;
        result.open = why;
      }
    }
  };
  if (!endings) return passes_stay(nullptr, "whether any execution counts took too long to tell");
  if (endings->beyond) {
    const std::string why =
        "threads come to be more rounds of a loop apart than are told apart, and closer again";
    const auto wider = program.wider();
    if (wider == nullptr) return passes_stay(nullptr, why);
    CheckOptions weakly = options;
    weakly.weak = true;
    const CheckResult wide = decide_all(*wider, models, weakly);
    const std::optional<Endings> more = endings_of(*wider, explore);
    const bool known = wide.complete && !wide.error && more && !more->beyond;
    return passes_stay(known ? &wide.verdicts : nullptr, why);
  }
  if (!endings->real) passes_stay(nullptr, "the reading leaves out every execution");
}

CheckResult Checker::check(const lang::Program& program, Models models,
                           const CheckOptions& options) {
  CheckResult result = decide_all(program, models, options);
  if (program.may_drop()) settle_endings(program, models, options, result);
  return result;
}

CheckResult Checker::decide_all(const lang::Program& program, Models models,
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
    if (program.words() <= kMaxSweepWords) {
      decide_apart(program, models, options, most, result);
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
