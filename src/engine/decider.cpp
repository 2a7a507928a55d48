#include "engine/decider.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "checker/waiting.hpp"
#include "models/scoped.hpp"

namespace headway::engine {

using checker::Verdict;
using models::Fairness;
using models::ModelPtr;
using report::CheckedTest;

namespace {

// States of a launch that is looked at again, for who waits for whom in it.
constexpr std::size_t kMostExplained = 200'000;

auto named(const std::vector<ModelPtr>& models, const std::string& name) {
  return std::find_if(models.begin(), models.end(),
                      [&](const ModelPtr& model) { return model->name() == name; });
}

void add(const ModelPtr& model, std::vector<ModelPtr>& models) {
  if (named(models, model->name()) == models.end()) models.push_back(model);
}

std::vector<std::string> names_of(const std::vector<ModelPtr>& models) {
  std::vector<std::string> names;
  names.reserve(models.size());
  for (const ModelPtr& model : models) names.push_back(model->name());
  return names;
}

// What passes or fails: of a family the member.
std::string size_of(const CheckedTest& test) {
  return test.family ? fmt::format("with {} threads it", test.threads) : "it";
}

// What a table says of a test whatever its verdicts are.
CheckedTest described(const lang::Test& test, const std::string& file) {
  CheckedTest checked;
  checked.name = test.name;
  checked.file = file;
  checked.threads = test.thread_count();
  checked.instructions = test.instruction_count();
  checked.family = test.source->sized();
  checked.premises = test.premises;
  checked.unreached = test.unreached;
  checked.advice = test.advice;
  return checked;
}

}  // namespace

Decider::Decider(const models::Library& library, Models models, const std::string& fairness,
                 bool boundaries)
    : library_(library), models_(std::move(models)), boundaries_(boundaries) {
  for (const Fairness each : models::kFairnesses) {
    if (fairness == "both" || fairness == to_string(each)) fairnesses_.push_back(each);
  }
}

report::VerdictColumns Decider::columns(const std::vector<CheckedTest>& tests) const {
  report::VerdictColumns result{{}, fairnesses_};
  const auto add = [&](const std::string& name) {
    const auto end = result.models.end();
    if (std::find(result.models.begin(), end, name) == end) result.models.push_back(name);
  };
  for (const CheckedTest& test : tests) {
    for (const std::string& name : test.models) add(name);
  }
  if (!tests.empty()) return result;
  for (const ModelPtr& model : models_.chosen) add(model->name());
  return result;
}

bool Decider::asks(Fairness fairness) const {
  return std::find(fairnesses_.begin(), fairnesses_.end(), fairness) != fairnesses_.end();
}

const report::Promise* Decider::asked_promise(const lang::Test& test) const {
  return models_.which == Models::Which::named ? nullptr : report::promise_named(test.promise);
}

Decider::ModelList Decider::models_of(const lang::Test& test) const {
  const report::Promise* promise = asked_promise(test);
  ModelList result;
  if (promise != nullptr) {
    for (const std::string& name : promise->rows) add(library_.named(name), result);
  }
  if (promise == nullptr || models_.which == Models::Which::all) {
    for (const ModelPtr& model : models_.chosen) add(model, result);
  }
  for (const ModelPtr& model : models_.required) add(model, result);
  return result;
}

Decider::ModelList Decider::with_beside(const lang::Test& test, ModelList models) const {
  if (models_.which == Models::Which::named) return models;
  if (const report::Promise* promise = asked_promise(test); promise != nullptr) {
    for (const std::string& name : promise->beside) add(library_.named(name), models);
  }
  for (const lang::Expectation& expectation : test.expectations) {
    // To make a model anew takes longer than to decide a small test.
    if (named(models, expectation.model) != models.end()) continue;
    try {
      add(library_.named(expectation.model), models);
    } catch (const Error&) {
      // Told by compare(), with its place.
    }
  }
  return models;
}

// What the text of the test's language promises of it.
std::string Decider::answer(const lang::Test& test, const CheckedTest& checked,
                            const lang::Program& program, const ModelList& models,
                            const std::vector<checker::ModelVerdict>& verdicts,
                            const checker::CheckOptions& options) const {
  const report::Promise* promise = asked_promise(test);
  if (promise == nullptr || !asks(Fairness::weak)) return {};  // no text promises more
  const auto verdict = [&](const std::string& name) {
    return verdicts[static_cast<std::size_t>(named(models, name) - models.begin())].weak;
  };
  report::Asked asked{*promise, test.name, test.within, program.topology(), verdict(promise->model),
                      {},       {}};
  // What helps least is not known where a limit left some of it open.
  const bool is_known =
      std::all_of(promise->beside.begin(), promise->beside.end(),
                  [&](const std::string& name) { return verdict(name) != Verdict::unknown; });
  for (const std::string& name : promise->beside) {
    if (is_known && verdict(name) == Verdict::pass) asked.enough.push_back(name);
  }
  if (asked.verdict == Verdict::fail && !checked.result.error) {
    checker::CheckOptions small = options;
    small.max_states = std::min<std::size_t>(options.max_states, kMostExplained);
    // Where no promise helps, an execution in which all threads go on shows it best.
    const bool hopeless =
        !promise->beside.empty() && verdict(promise->beside.back()) == Verdict::fail;
    const ModelPtr model = library_.named(hopeless ? promise->beside.back() : promise->model);
    asked.waiting =
        checker::who_waits(program, checker::explain(program, *model, Fairness::weak, small));
  }
  return report::answer_text(asked);
}

// Models may speak of levels that a launch does not have: on a single workgroup, unfair is fair.
std::string Decider::remark_on(const ModelList& models, const lang::Test& test,
                               const Topology& launch) const {
  constexpr std::size_t shown = 3;
  std::string names;
  std::size_t count = 0;
  for (const ModelPtr& model : models) {
    if (!models::speaks_past(*model, launch) || ++count > shown) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", model->name());
  }
  if (names.empty()) return {};
  if (count > shown) names += fmt::format(" and {} more", count - shown);
  return fmt::format(
      "{} is a launch of {}; of a level at which each group has one child no model is asked, and "
      "all is guaranteed: {}",
      test.name, launch.to_string(), names);
}

// Whoever waits in a loop for another fails where nothing is guaranteed.
std::string Decider::remark_on(const ModelList& models, const CheckedTest& checked,
                               const lang::Test& test, const lang::Program& program) const {
  const auto unfair = std::find_if(models.begin(), models.end(), [](const ModelPtr& model) {
    return model->definition() == "{}";
  });
  const bool waits_otherwise = program.may_block() || test.source->language() == "kernel";
  if (unfair == models.end() || waits_otherwise || checked.threads < 2) return {};
  const auto& verdict = checked.result.verdicts[static_cast<std::size_t>(unfair - models.begin())];
  const bool expected = std::any_of(test.expectations.begin(), test.expectations.end(),
                                    [&](const lang::Expectation& each) {
                                      return each.passes && each.model == (*unfair)->name();
                                    });
  if (verdict.weak != Verdict::pass || expected) return {};
  return fmt::format("{} passes under {}: it ends whatever threads run, and tells no models apart",
                     test.name, (*unfair)->name());
}

Decision Decider::decide(const lang::Test& test, const std::string& file, checker::Checker& checker,
                         checker::CheckOptions options) {
  options.weak = asks(Fairness::weak);
  options.strong = asks(Fairness::strong);
  Decision decision;
  decision.warnings = test.warnings;
  decision.notes = test.notes;
  decision.models = models_of(test);
  try {
    CheckedTest checked = described(test, file);
    const auto start = std::chrono::steady_clock::now();
    const auto made = lang::make_program(test);
    const lang::Program& program = *made;
    if (program.topology() != Topology(checked.threads)) checked.launch = program.topology();
    if (asked_promise(test) == nullptr) {
      decision.remark = remark_on(decision.models, test, program.topology());
    }
    const ModelList all = with_beside(test, decision.models);
    checked.models = names_of(decision.models);
    checked.result = checker.check(program, all, options);
    if (!checked.result.open.empty()) {
      decision.undecided =
          fmt::format("{}: {}: unknown: {}", checked.file, test.name, checked.result.open);
    }
    const std::vector<checker::ModelVerdict> verdicts = checked.result.verdicts;
    checked.result.verdicts.resize(decision.models.size());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    checked.seconds = taken.count();
    checked.error_expected = test.expects_error;
    if (decision.remark.empty()) {
      decision.remark = remark_on(decision.models, checked, test, program);
    }
    if (checked.result.error) checked.wrong = checker::wrong_run(program, *checked.result.error);
    if (test.expects_error && !checked.result.error && checked.result.complete) {
      decision.unmet.emplace_back(SourcePosition{checked.file, 0, 0},
                                  fmt::format("expected {} to go wrong; it does not", test.name));
    }
    checked.answer = answer(test, checked, program, all, verdicts, options);
    // What a limit left open could change both ends of the boundary. A sentence needs none.
    const bool bounded = checked.result.complete && !checked.result.error;
    const bool wanted_too = checked.answer.empty() || models_.which == Models::Which::all;
    const models::ModelOrder* order =
        bounded && wanted_too ? order_for(decision.models, program) : nullptr;
    if (order != nullptr) {
      checked.boundary = checker::find_boundary(checked.result.verdicts, *order, fairnesses_);
    }
    for (const lang::Expectation& expectation : test.expectations) {
      compare(expectation, checked, all, verdicts, decision);
    }
    decision.checked = std::move(checked);
  } catch (const lang::Undecided& why) {
    decision.checked = undecided(test, file, decision.models, Limit::none);
    decision.undecided = fmt::format("{}: {}: {}", decision.checked->file, test.name, why.what());
  } catch (const Error& error) {
    const bool has_place = !error.where().file.empty();
    decision.bad.push_back(
        has_place ? error : Error(fmt::format("{}: {}: {}", file, test.name, error.what())));
  } catch (const std::bad_alloc&) {
    // The limit should have come first; the others keep their verdicts all the same.
    checker = {};
    decision.checked = undecided(test, file, decision.models, Limit::memory);
  }
  compare_open(test, decision);
  return decision;
}

Decision Decider::refuse(const lang::Test& test, const std::string& file, const Error& why) const {
  Decision decision;
  decision.models = models_of(test);
  decision.checked = undecided(test, file, decision.models, Limit::none);
  const bool has_place = !why.where().file.empty();
  decision.undecided =
      has_place ? why.diagnostic() : fmt::format("{}: {}: {}", file, test.name, why.what());
  return decision;
}

void Decider::compare_open(const lang::Test& test, Decision& decision) {
  if (!decision.checked || decision.checked->result.stopped_by == Limit::interrupt) return;
  CheckedTest& checked = *decision.checked;
  const bool decided = checked.result.complete || checked.result.error;
  const std::string refused = fmt::format("{}: {}: unsupported", checked.file, test.name);
  const std::string how = decided                                   ? "decided"
                          : decision.undecided.starts_with(refused) ? "unsupported"
                                                                    : "unknown";
  for (const lang::Test::ExpectedOpen& expected : test.expects_open) {
    checked.open_expected = true;
    if (how == expected.how) continue;
    decision.unmet.emplace_back(
        expected.where, fmt::format("expected {} of {}; it is {}", expected.how, test.name, how),
        expected.source_line);
  }
}

CheckedTest Decider::undecided(const lang::Test& test, const std::string& file,
                               const ModelList& models, Limit limit) const {
  CheckedTest checked = described(test, file);
  checked.models = names_of(models);
  checked.result.verdicts.resize(models.size());
  checked.result.complete = false;
  checked.result.stopped_by = limit;
  if (const report::Promise* promise = asked_promise(test); promise != nullptr) {
    checked.answer = report::answer_text(
        {*promise, test.name, test.within, Topology(1), Verdict::unknown, {}, {}});
  }
  return checked;
}

// What the test itself expects. Where models were named, others are not looked at.
void Decider::compare(const lang::Expectation& expectation, const CheckedTest& checked,
                      const ModelList& models, const std::vector<checker::ModelVerdict>& verdicts,
                      Decision& decision) const {
  checker::ModelVerdict verdict;
  try {
    auto at = named(models, expectation.model);
    if (at == models.end()) at = named(models, library_.named(expectation.model)->name());
    if (at == models.end()) return;
    verdict = verdicts[static_cast<std::size_t>(at - models.begin())];
  } catch (const Error& error) {
    std::string why = error.what();
    const std::string path = "or the path of a model file";  // which cannot stand here
    if (const std::size_t place = why.find(path); place != std::string::npos) {
      why.replace(place, path.size(), "or the name in a model file that is given with --model");
    }
    decision.bad.emplace_back(expectation.where, why, expectation.source_line);
    return;
  }
  for (const Fairness fairness : fairnesses_) {
    if (expectation.fairness && *expectation.fairness != fairness) continue;
    const Verdict decided = verdict.of(fairness);
    const Verdict expected = expectation.passes ? Verdict::pass : Verdict::fail;
    // What goes wrong is told of once, not for each expectation.
    if (decided == expected || decided == Verdict::unknown || decided == Verdict::error) continue;
    decision.unmet.emplace_back(
        expectation.where,
        fmt::format("expected {}:{} to {}; {} {}", expectation.model, to_string(fairness),
                    to_string(expected), size_of(checked),
                    decided == Verdict::pass ? "passes" : "fails"),
        expectation.source_line);
  }
}

// The order of the models for a launch, computed when it is first asked for; null where it would
// take too long.
const models::ModelOrder* Decider::order_for(const ModelList& models,
                                             const lang::Program& program) {
  const Topology& launch = program.topology();
  const bool may_block = program.may_block();
  if (!boundaries_ || !models::ModelOrder::in_limits(models, launch.threads(), may_block)) {
    return nullptr;
  }
  const std::lock_guard lock(orders_mutex_);
  auto& order = orders_[{fmt::format("{}", fmt::join(names_of(models), ";")), launch, may_block}];
  if (!order) {
    order =
        std::make_unique<models::ModelOrder>(models, launch, models::Scope::recurring, may_block);
  }
  return order.get();
}

}  // namespace headway::engine
