// check, explain, transition systems.
#include <fmt/format.h>

#include "base/parallel.hpp"
#include "checker/boundary.hpp"
#include "checker/explain.hpp"
#include "checker/labelled_graph.hpp"
#include "library/access.hpp"
#include "models/library.hpp"
#include "report/explanation.hpp"
#include "report/lts.hpp"

namespace headway::api {
namespace {

models::Fairness internal(Fairness fairness) {
  return fairness == Fairness::weak ? models::Fairness::weak : models::Fairness::strong;
}

Verdict verdict_of(checker::Verdict verdict) { return static_cast<Verdict>(verdict); }

std::vector<Step> steps_of(const checker::WrongRun& run) {
  std::vector<Step> result;
  for (const checker::WrongRun::Step& step : run.steps) {
    result.push_back(
        {step.thread, step.text.line, step.text.statement, step.text.effect, step.memory, {}});
  }
  return result;
}

// The steps of a lasso from `first` on, of which moment `at` is the one before it.
std::vector<Step> steps_of(const lang::Program& program, const std::vector<lang::Step>& steps,
                           const std::vector<checker::Moment>& moments, std::size_t at) {
  std::vector<Step> result;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const checker::Moment& before = moments[at + s];
    const lang::StepText text = program.describe_step(before.state.data(), steps[s]);
    result.push_back({steps[s].thread, text.line, text.statement, text.effect,
                      program.describe_memory(moments[at + s + 1].state.data()),
                      before.fair(program.topology()).to_string(program.topology())});
  }
  return result;
}

// Says what of the expectation is not so. Models that were not decided are, where nobody named any.
void compare_with(const lang::Expectation& expectation, const lang::Program& program,
                  const std::vector<models::ModelPtr>& models, bool named,
                  const checker::CheckOptions& options, CheckResult& result) {
  const models::ModelPtr model = models::Library().find(expectation.model);
  checker::ModelVerdict found;
  const auto column = std::find_if(models.begin(), models.end(),
                                   [&](const auto& each) { return each->name() == model->name(); });
  if (column != models.end()) {
    const ModelVerdict& of = result.verdicts[static_cast<std::size_t>(column - models.begin())];
    found = {static_cast<checker::Verdict>(of.weak), static_cast<checker::Verdict>(of.strong)};
  } else if (named) {
    return;
  } else {
    found = checker::Checker().check(program, {&model, 1}, options).verdicts.front();
  }
  for (const models::Fairness fairness : models::kFairnesses) {
    if (expectation.fairness && *expectation.fairness != fairness) continue;
    const checker::Verdict verdict = found.of(fairness);
    const bool met =
        verdict == (expectation.passes ? checker::Verdict::pass : checker::Verdict::fail);
    if (met || verdict == checker::Verdict::unknown) continue;
    result.unmet.push_back(
        fmt::format("{}:{} expected {}, found {}", expectation.model, models::to_string(fairness),
                    expectation.passes ? "pass" : "fail", checker::to_string(verdict)));
  }
}

std::vector<std::string> names(const std::vector<std::vector<models::Reading>>& groups,
                               const std::vector<models::ModelPtr>& models) {
  std::vector<std::string> result;
  for (const auto& group : groups) {
    for (const models::Reading& reading : group) result.push_back(reading_name(reading, models));
  }
  return result;
}

TransitionSystem system_of(const Test& test, const models::Model* model, Fairness fairness,
                           const Limits& limits) {
  const CoreLimit cores(limits.jobs);
  const auto program = lang::make_program(Access::of(test));
  const auto graph = checker::step_view(*program, model, internal(fairness), options_of(limits));
  TransitionSystem result;
  result.complete = graph.has_value();
  if (!graph) return result;
  for (const auto& node : graph->nodes) {
    TransitionSystem::State state;
    state.memory = program->describe_memory(node.state.data());
    for (int t = 0; t < program->threads(); ++t) {
      state.threads.push_back(program->describe_thread(node.state.data(), t));
    }
    if (graph->has_model) state.fair = node.fair.to_string(graph->topology);
    state.on_fair_cycle = node.on_fair_cycle;
    result.states.push_back(std::move(state));
  }
  for (const auto& edge : graph->edges) {
    result.edges.push_back(
        {edge.from, edge.to, edge.label.thread, report::lts_label(edge.label, *graph)});
  }
  result.dot = report::lts_dot(*graph, *program);
  return result;
}

}  // namespace

CheckResult check(const Test& test, const std::vector<Model>& models, const Limits& limits) {
  return translated([&] {
    const CoreLimit cores(limits.jobs);
    const std::vector<models::ModelPtr> asked = models_of(models);
    const auto program = lang::make_program(Access::of(test));
    const checker::CheckOptions options = options_of(limits);
    const checker::CheckResult found = checker::Checker().check(*program, asked, options);
    CheckResult result;
    result.test = test.name();
    for (std::size_t m = 0; m < asked.size(); ++m) {
      const checker::ModelVerdict& verdict = found.verdicts[m];
      result.verdicts.push_back(
          {asked[m]->name(), verdict_of(verdict.weak), verdict_of(verdict.strong)});
    }
    result.states = found.states;
    result.transitions = found.transitions;
    result.complete = found.complete;
    result.stopped_by = stop_of(found.stopped_by);
    if (found.error) result.wrong = steps_of(checker::wrong_run(*program, *found.error));
    for (const lang::Expectation& expectation : Access::of(test).expectations) {
      compare_with(expectation, *program, asked, !models.empty(), options, result);
    }
    if (found.complete && test.expects_error() != found.error.has_value()) {
      result.unmet.emplace_back(found.error ? "the program goes wrong"
                                            : "expected the program to go wrong");
    }
    result.met = result.unmet.empty();
    const bool ordered =
        found.complete && !found.error &&
        models::ModelOrder::in_limits(asked, program->threads(), program->may_block());
    if (ordered) {
      const models::ModelOrder order(asked, program->topology(), models::Scope::recurring,
                                     program->may_block());
      const checker::Boundary boundary = checker::find_boundary(found.verdicts, order);
      result.weakest_sufficient = names(boundary.weakest_sufficient, asked);
      result.strongest_insufficient = names(boundary.strongest_insufficient, asked);
    }
    return result;
  });
}

Explanation explain(const Test& test, const Model& model, Fairness fairness, const Limits& limits) {
  return translated([&] {
    const CoreLimit cores(limits.jobs);
    const auto program = lang::make_program(Access::of(test));
    const models::Model& under = *Access::of(model);
    const checker::Explanation found =
        checker::explain(*program, under, internal(fairness), options_of(limits));
    const report::Explained explained{test.name(), {}, *program, under, internal(fairness), found};
    Explanation result;
    result.test = test.name();
    result.model = model.name();
    result.fairness = fairness;
    result.verdict = verdict_of(found.verdict);
    if (found.witness) {
      const checker::Lasso& lasso = found.witness->lasso;
      result.stem = steps_of(*program, lasso.stem, found.replay.moments, 0);
      // The second round: in the first one the history may still change.
      result.cycle = steps_of(*program, lasso.cycle, found.replay.moments,
                              lasso.stem.size() + lasso.cycle.size());
      result.summary = report::failure_words(explained).summary;
    } else if (found.verdict == checker::Verdict::error) {
      result.stem = steps_of(checker::wrong_run(*program, checker::ErrorTrace{found.error}));
    }
    result.text = report::explanation_text(explained, report::Style{});
    result.json = report::explanation_json(explained);
    return result;
  });
}

TransitionSystem transition_system(const Test& test, const Limits& limits) {
  return translated([&] { return system_of(test, nullptr, Fairness::weak, limits); });
}

TransitionSystem transition_system(const Test& test, const Model& model, Fairness fairness,
                                   const Limits& limits) {
  return translated([&] { return system_of(test, Access::of(model).get(), fairness, limits); });
}

}  // namespace headway::api
