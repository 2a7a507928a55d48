#include "checker/sweep/state_sweeps.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace headway::checker {
namespace {

using lang::Silent;
using models::Model;
using models::ModelPtr;

// How to explore for a model.
struct Form {
  Symmetry::Levels exchangeable;
  Silent silent = Silent::none;
  std::optional<Level> started = Level::thread;
  std::optional<Level> awake = Level::thread;

  friend bool operator<(const Form& a, const Form& b) {
    return std::tie(a.exchangeable, a.silent, a.started, a.awake) <
           std::tie(b.exchangeable, b.silent, b.started, b.awake);
  }
};

// Calls `visit` for the levels of a launch at which the model asks for something.
template <class Visit>
void for_members(const Topology& topology, const Model& model, const Visit& visit) {
  for (const Level level : kLevels) {
    const Model* member = topology.has(level) ? model.at(level) : nullptr;
    if (member != nullptr) visit(level, *member);
  }
}

// The best that can be, for no model at all.
Form best_form(const lang::Program& program, const StateReductions& allowed) {
  Form form{};
  form.exchangeable.fill(allowed.symmetry);
  if (allowed.silent_steps && program.barriers().widest > 0) form.silent = Silent::ends;
  if (allowed.history) {
    form.started.reset();
    form.awake.reset();
  }
  return form;
}

Form form_for(const lang::Program& program, const Model& model, const StateReductions& allowed) {
  const Topology& topology = program.topology();
  const lang::Program::Barriers barriers = program.barriers();
  Form form = best_form(program, allowed);
  for_members(topology, model, [&](Level level, const Model& member) {
    if (member.looks_at_ids()) form.exchangeable[static_cast<std::size_t>(level)] = false;
    if (member.looks_at_started() && allowed.history) {
      form.started = level;
      // A thread that arrives is blocked, and when it goes on all of its group have started.
      const bool by_itself = level == Level::thread && !member.looks_at_started_of_others();
      if (!by_itself) form.awake = level;
    }
    if (member.looks_at_terminated()) form.silent = std::min(form.silent, Silent::arrivals);
    // An arrival makes no difference to who is blocked where the barrier is inside of each group.
    const bool inside = barriers.alone && barriers.widest <= topology.group_threads(level);
    if (member.looks_at_blocked() && !inside) form.silent = std::min(form.silent, Silent::passes);
  });
  return form;
}

void add(const SweepResult& one, SweepResult& all) {
  all.gone_wrong = all.gone_wrong || one.gone_wrong;
  if (all.stopped_by == Limit::none) all.stopped_by = one.stopped_by;
  all.states += one.states;
  all.transitions += one.transitions;
  all.heights = std::max(all.heights, one.heights);
  all.memory = std::max(all.memory, one.memory);
}

}  // namespace

StateSweeps sweep_states(const lang::Program& program, std::span<const ModelPtr> models,
                         const StateReductions& allowed, const SweepOptions& options) {
  StateSweeps result;
  const auto fields = allowed.symmetry ? program.interchangeable() : std::nullopt;
  const auto sweep_form = [&](const Form& form, std::span<const ModelPtr> asked,
                              const SweepOptions& sweeping) {
    std::optional<Symmetry> symmetry;
    if (fields) symmetry.emplace(program, *fields, form.exchangeable);
    if (symmetry && symmetry->orbits().size() > result.interchangeable.size()) {
      result.interchangeable = symmetry->orbits();
    }
    result.silent_steps = result.silent_steps || form.silent != Silent::none;
    SweepResult one =
        sweep(program, {symmetry ? &*symmetry : nullptr, form.silent, form.started, form.awake},
              asked, sweeping);
    add(one, result.found);
    return one;
  };

  std::map<Form, std::vector<std::size_t>> parts;
  for (std::size_t m = 0; m < models.size(); ++m) {
    parts[form_for(program, *models[m], allowed)].push_back(m);
  }
  result.found.verdicts.resize(models.size());
  bool to_the_end = !options.stop_early;
  for (const auto& [form, part] : parts) {
    std::vector<ModelPtr> asked;
    for (const std::size_t m : part) asked.push_back(models[m]);
    const SweepResult one = sweep_form(form, asked, options);
    for (std::size_t i = 0; i < part.size(); ++i) {
      result.found.verdicts[part[i]] = one.verdicts[i];
      // What passes has been swept to the end.
      to_the_end = to_the_end || one.verdicts[i].weak == Verdict::pass ||
                   one.verdicts[i].strong == Verdict::pass;
    }
    if (one.gone_wrong) return result;
  }
  // Whether anything goes wrong does not depend on models.
  if (program.may_fail() && !to_the_end && result.found.stopped_by == Limit::none) {
    SweepOptions for_errors = options;
    for_errors.stop_early = false;
    sweep_form(best_form(program, allowed), {}, for_errors);
  }
  return result;
}

}  // namespace headway::checker
