#include "engine/decider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "models/scoped.hpp"

namespace headway::engine {

using checker::Verdict;
using models::Fairness;
using models::ModelPtr;
using report::CheckedTest;

namespace {

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
  return checked;
}

}  // namespace

Decider::Decider(const models::Library& library, std::vector<ModelPtr> models,
                 const std::string& fairness, bool beyond, bool boundaries)
    : library_(library), models_(std::move(models)), beyond_(beyond), boundaries_(boundaries) {
  for (const ModelPtr& model : models_) columns_.models.push_back(model->name());
  for (const Fairness each : models::kFairnesses) {
    if (fairness == "both" || fairness == to_string(each)) columns_.fairnesses.push_back(each);
  }
}

// Models may speak of levels that a launch does not have: on a single workgroup, unfair is fair.
std::string Decider::remark_on(const lang::Test& test, const Topology& launch) const {
  std::string names;
  for (const ModelPtr& model : models_) {
    if (!models::speaks_past(*model, launch)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", model->name());
  }
  if (names.empty()) return {};
  return fmt::format(
      "{} is a launch of {}; of a level at which each group has one child no model is asked, and "
      "all is guaranteed: {}",
      test.name, launch.to_string(), names);
}

// Whoever waits in a loop for another fails where nothing is guaranteed.
std::string Decider::remark_on(const CheckedTest& checked, const lang::Test& test,
                               const lang::Program& program) const {
  const auto unfair = std::find_if(models_.begin(), models_.end(), [](const ModelPtr& model) {
    return model->definition() == "{}";
  });
  const bool waits_otherwise = program.may_block() || test.source->language() == "kernel";
  if (unfair == models_.end() || waits_otherwise || checked.threads < 2) return {};
  const auto& verdict = checked.result.verdicts[static_cast<std::size_t>(unfair - models_.begin())];
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
  const auto wanted = [&](Fairness fairness) {
    return std::count(columns_.fairnesses.begin(), columns_.fairnesses.end(), fairness) > 0;
  };
  options.weak = wanted(Fairness::weak);
  options.strong = wanted(Fairness::strong);
  Decision decision;
  decision.warnings = test.warnings;
  decision.notes = test.notes;
  try {
    CheckedTest checked = described(test, file);
    const auto start = std::chrono::steady_clock::now();
    const auto made = lang::make_program(test);
    const lang::Program& program = *made;
    if (program.topology() != Topology(checked.threads)) checked.launch = program.topology();
    decision.remark = remark_on(test, program.topology());
    checked.result = checker.check(program, models_, options);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    checked.seconds = taken.count();
    checked.error_expected = test.expects_error;
    if (decision.remark.empty()) decision.remark = remark_on(checked, test, program);
    if (checked.result.error) checked.wrong = checker::wrong_run(program, *checked.result.error);
    if (test.expects_error && !checked.result.error && checked.result.complete) {
      decision.unmet.emplace_back(SourcePosition{checked.file, 0, 0},
                                  fmt::format("expected {} to go wrong; it does not", test.name));
    }
    // What a limit left open could change both ends of the boundary.
    const models::ModelOrder* order =
        checked.result.complete && !checked.result.error ? order_for(program) : nullptr;
    if (order != nullptr) {
      checked.boundary =
          checker::find_boundary(checked.result.verdicts, *order, columns_.fairnesses);
    }
    for (const lang::Expectation& expectation : test.expectations) {
      compare(expectation, checked, program, checker, options, decision);
    }
    decision.checked = std::move(checked);
  } catch (const lang::Undecided& why) {
    decision.checked = undecided(test, file, Limit::none);
    decision.undecided = fmt::format("{}: {}: {}", decision.checked->file, test.name, why.what());
  } catch (const Error& error) {
    const bool has_place = !error.where().file.empty();
    decision.bad.push_back(
        has_place ? error : Error(fmt::format("{}: {}: {}", file, test.name, error.what())));
  } catch (const std::bad_alloc&) {
    // The limit should have come first; the others keep their verdicts all the same.
    checker = {};
    decision.checked = undecided(test, file, Limit::memory);
  }
  return decision;
}

CheckedTest Decider::undecided(const lang::Test& test, const std::string& file, Limit limit) const {
  CheckedTest checked = described(test, file);
  checked.result.verdicts.resize(models_.size());
  checked.result.complete = false;
  checked.result.stopped_by = limit;
  return checked;
}

// What the test itself expects. Without --model, models that are not in the table are decided
// for it as well.
void Decider::compare(const lang::Expectation& expectation, const CheckedTest& checked,
                      const lang::Program& program, checker::Checker& checker,
                      const checker::CheckOptions& options, Decision& decision) {
  checker::ModelVerdict verdict;
  try {
    std::size_t column = column_of(expectation.model);
    const ModelPtr model =
        column < models_.size() ? models_[column] : library_.named(expectation.model);
    column = column_of(model->name());
    if (column < models_.size()) {
      verdict = checked.result.verdicts[column];
    } else if (beyond_) {
      verdict = checker.check(program, {&model, 1}, options).verdicts.front();
    } else {
      return;
    }
  } catch (const Error& error) {
    std::string why = error.what();
    const std::string path = "or the path of a model file";  // which cannot stand here
    if (const std::size_t at = why.find(path); at != std::string::npos) {
      why.replace(at, path.size(), "or the name in a model file that is given with --model");
    }
    decision.bad.emplace_back(expectation.where, why, expectation.source_line);
    return;
  }
  for (Fairness fairness : columns_.fairnesses) {
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

std::size_t Decider::column_of(const std::string& model) const {
  return static_cast<std::size_t>(std::find(columns_.models.begin(), columns_.models.end(), model) -
                                  columns_.models.begin());
}

// The order of the models for a launch, computed when it is first asked for; null where it would
// take too long.
const models::ModelOrder* Decider::order_for(const lang::Program& program) {
  const Topology& launch = program.topology();
  const bool may_block = program.may_block();
  if (!boundaries_ || !models::ModelOrder::in_limits(models_, launch.threads(), may_block)) {
    return nullptr;
  }
  const std::lock_guard lock(orders_mutex_);
  auto& order = orders_[{launch.workgroups(), launch.subgroups(), launch.threads(), may_block}];
  if (!order) {
    order =
        std::make_unique<models::ModelOrder>(models_, launch, models::Scope::recurring, may_block);
  }
  return order.get();
}

}  // namespace headway::engine
