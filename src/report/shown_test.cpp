#include "report/shown_test.hpp"

#include <fmt/format.h>

#include <array>

#include "checker/explain.hpp"
#include "report/explanation.hpp"
#include "report/words.hpp"
#include "report/wrong_run.hpp"

namespace headway::report {
namespace {

using checker::Explanation;
using checker::Verdict;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostReasons = 20;

Json step_json(int thread, int line, const std::array<std::string, 4>& texts,
               const NumberText& number) {
  Json step = {thread, line};
  for (const std::string& text : texts) step.push_back(number(text));
  return step;
}

Json failing_run(const Explained& explained, const std::vector<lang::Step>& steps,
                 const NumberText& number) {
  const lang::Program& program = explained.program;
  const checker::Witness& witness = *explained.explanation.witness;
  Json rows = Json::array();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const checker::Moment& before = explained.explanation.replay.moments[i];
    const checker::Moment& after = explained.explanation.replay.moments[i + 1];
    const lang::StepText text = program.describe_step(before.state.data(), steps[i]);
    rows.push_back(
        step_json(steps[i].thread, text.line,
                  {text.statement, text.effect, program.describe_memory(after.state.data()),
                   before.fair(program.topology()).to_string(program.topology())},
                  number));
  }
  const FailureWords words = failure_words(explained);
  return {{"leaf", program.topology().leaf_name()},
          {"stem", witness.lasso.stem.size()},
          {"smallest", witness.smallest},
          {"steps", std::move(rows)},
          {"groups", words.groups},
          {"summary", words.summary}};
}

Json wrong_run_of(const lang::Program& program, const std::vector<lang::Step>& steps,
                  const NumberText& number) {
  const checker::WrongRun run = checker::wrong_run(program, {steps});
  Json rows = Json::array();
  for (const checker::WrongRun::Step& step : run.steps) {
    rows.push_back(step_json(step.thread, step.text.line,
                             {step.text.statement, step.text.effect, step.memory, ""}, number));
  }
  return {{"leaf", run.leaf},
          {"stem", run.steps.size()},
          {"smallest", true},
          {"wrong", true},
          {"steps", std::move(rows)},
          {"groups", Json::array()},
          {"summary", wrong_run_summary(run)}};
}

// Why a cycle cannot go on for ever, in two sentences or three.
std::string sentence_about(const Explained& explained, const checker::BrokenCycle& broken) {
  const Topology& topology = explained.program.topology();
  const checker::WayOut& out = broken.example;
  const std::string statement =
      explained.program.describe_step(out.from.state.data(), out.thread).statement;
  const bool flat = topology.is_flat();
  std::string text = fmt::format("{}; {} {} in it. ", counted(broken.states, "state"),
                                 thread_names(topology, broken.steps),
                                 broken.steps.size() == 1 ? "steps" : "step");
  if (explained.fairness == models::Fairness::weak) {
    const bool several = flat && broken.breakers.threads.size() != 1;
    return text +
           fmt::format("{} {} guaranteed all along and must step, which leaves the cycle: {}",
                       capitalized(flat ? thread_names(topology, broken.breakers.threads)
                                        : broken.breakers.first_name(topology)),
                       several ? "are" : "is", statement);
  }
  text += fmt::format("Where F = {}, {} must take {} step, which leaves the cycle: {}",
                      out.from.fair(topology).to_string(topology), out.group.first_name(topology),
                      flat ? "its" : "a", statement);
  if (broken.remaining == 0) return text;
  return text + fmt::format(" {} without such a step {} looked at again without the others.",
                            counted(broken.remaining, "state"),
                            broken.remaining == 1 ? "is" : "are");
}

Json reasons_of(const Explained& explained, const std::optional<RecordedSystem>& system) {
  const auto& broken = explained.explanation.broken;
  Json cycles = Json::array();
  for (std::size_t c = 0; c < broken.size() && c < kMostReasons; ++c) {
    const std::string round =
        broken[c].round > 1 ? fmt::format("Round {}: ", broken[c].round) : std::string();
    const auto state = system ? system->state_at(broken[c].example.from) : std::nullopt;
    cycles.push_back({round + sentence_about(explained, broken[c]), nullptr});
    if (state) cycles.back()[1] = *state;
  }
  return {{"more", broken.size() - cycles.size()}, {"cycles", std::move(cycles)}};
}

}  // namespace

Shown show_test(const lang::Program& program, const models::Model& model, models::Fairness fairness,
                const ShownLimits& limits, const NumberText& number) {
  const Explanation explanation = checker::explain(program, model, fairness, limits.options);
  const Explained explained{"", "", program, model, fairness, explanation};
  Shown shown;
  shown.verdict = explanation.verdict;
  shown.explored = explanation.states;
  std::vector<lang::Step> steps = explanation.error;
  if (shown.verdict == Verdict::fail) {
    const checker::Lasso& lasso = explanation.witness->lasso;
    steps = lasso.stem;
    steps.insert(steps.end(), lasso.cycle.begin(), lasso.cycle.end());
  }
  const bool is_short = steps.size() <= limits.most_steps;
  if (is_short && shown.verdict == Verdict::fail) {
    shown.run = failing_run(explained, steps, number);
  } else if (is_short && shown.verdict == Verdict::error) {
    shown.run = wrong_run_of(program, steps, number);
  }
  checker::CheckOptions options = limits.options;
  options.max_states = limits.most_states;
  std::span<const checker::Moment> moments;
  if (!shown.run.is_null()) moments = explanation.replay.moments;
  auto system = record_system(program, model, fairness, options, moments, steps, number);
  if (shown.verdict == Verdict::pass) shown.reasons = reasons_of(explained, system);
  if (!system) return shown;
  if (system->path) shown.path = *system->path;
  shown.graph = std::move(system->graph);
  shown.reading = std::move(system->reading);
  return shown;
}

}  // namespace headway::report
