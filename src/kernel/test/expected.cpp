#include "kernel/test/expected.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::kernel {
namespace {

using Outcome = ExpectedOutcome::Outcome;

bool is_verified(const PropertyAnswer& answer) { return answer.verdict == "verified"; }
bool is_violated(const PropertyAnswer& answer) { return answer.verdict == "violated"; }

class Holding {
 public:
  Holding(const std::string& name, const std::vector<PropertyAnswer>& answers)
      : name_(name), answers_(answers) {}

  void hold(const ExpectedOutcome& expected) {
    switch (expected.outcome) {
      case Outcome::safe:
      case Outcome::verified:
        hold_verified(expected);
        return;
      case Outcome::error:
      case Outcome::violated:
        hold_violated(expected);
        return;
      case Outcome::unknown:
        held_.open = true;
        if (std::ranges::all_of(answers_, decided)) refuse(expected, "all is decided");
        return;
      case Outcome::unsupported:
        held_.open = true;
        if (std::ranges::none_of(answers_, [](const PropertyAnswer& answer) {
              return answer.verdict == "unsupported";
            })) {
          refuse(expected, "it is not");
        }
        return;
    }
  }

  Held result() { return std::move(held_); }

 private:
  static bool decided(const PropertyAnswer& answer) {
    return is_verified(answer) || is_violated(answer);
  }

  void hold_verified(const ExpectedOutcome& expected) {
    for (const PropertyAnswer& answer : answers_) {
      if (is_violated(answer)) refuse(expected, answer.property + " is violated");
    }
  }

  void hold_violated(const ExpectedOutcome& expected) {
    if (!expected.property) {
      for (const PropertyAnswer& answer : answers_) held_.errors.insert(answer.property);
      if (std::ranges::all_of(answers_, is_verified)) refuse(expected, "all is verified");
      return;
    }
    const std::string property = to_string(*expected.property);
    held_.errors.insert(property);
    const auto found = std::ranges::find(answers_, property, &PropertyAnswer::property);
    if (found == answers_.end()) {
      refuse(expected,
             fmt::format("nobody looked at {}{}", property, asked_by(*expected.property)));
    } else if (is_verified(*found)) {
      refuse(expected, property + " is verified");
    }
  }

  // The option of verify that asks for a property which it does not look at otherwise.
  static std::string asked_by(Property property) {
    const bool of_bounds = property == Property::bounds || property == Property::null ||
                           property == Property::alignment;
    return of_bounds ? "; --bounds asks for it, as in '// headway: verify --bounds'" : "";
  }

  void refuse(const ExpectedOutcome& expected, const std::string& found) {
    std::string what = to_string(expected.outcome);
    if (expected.property) what += " " + to_string(*expected.property);
    held_.unmet.emplace_back(expected.where,
                             fmt::format("expected {} of {}; {}", what, name_, found),
                             expected.source_line);
  }

  const std::string& name_;
  const std::vector<PropertyAnswer>& answers_;
  Held held_;
};

bool is_open(const ExpectedOutcome& expected) {
  return expected.outcome == Outcome::unknown || expected.outcome == Outcome::unsupported;
}

bool is_of_verify(const LaunchDirective& launch) {
  return std::ranges::any_of(launch.outcomes, [](const ExpectedOutcome& one) {
    return one.outcome == Outcome::verified || one.outcome == Outcome::violated;
  });
}

bool is_for(const ExpectedOutcome& expected, const LaunchDirective& launch, Looker looker) {
  if (looker == Looker::check && is_open(expected)) return !is_of_verify(launch);
  switch (expected.outcome) {
    case Outcome::safe:
    case Outcome::error:
      return looker != Looker::verify;
    case Outcome::verified:
    case Outcome::violated:
    case Outcome::unknown:
    case Outcome::unsupported:
      return looker != Looker::check;
  }
  return false;
}

bool expects_something(const LaunchDirective& launch, Looker looker) {
  return (looker == Looker::check && !launch.models.empty()) ||
         std::ranges::any_of(launch.outcomes, [&](const ExpectedOutcome& one) {
           return is_for(one, launch, looker);
         });
}

std::string launch_name(const LaunchDirective& launch) {
  if (launch.host_program) return "main";
  return launch.kernel.empty() ? "all kernels" : "kernel " + launch.kernel;
}

}  // namespace

Held held_to(const LaunchDirective& directive, const std::string& name,
             const std::vector<PropertyAnswer>& answers) {
  Holding holding(name, answers);
  for (const ExpectedOutcome& expected : directive.outcomes) {
    const Looker looker = directive.host_program ? Looker::program : Looker::verify;
    if (is_for(expected, directive, looker)) holding.hold(expected);
  }
  return holding.result();
}

std::vector<lang::Test::ExpectedOpen> expected_open(const LaunchDirective& directive) {
  std::vector<lang::Test::ExpectedOpen> result;
  for (const ExpectedOutcome& expected : directive.outcomes) {
    if (!is_open(expected) || !is_for(expected, directive, Looker::check)) continue;
    result.push_back({to_string(expected.outcome), expected.where, expected.source_line});
  }
  return result;
}

std::vector<std::string> unlooked(const Directives& directives,
                                  const std::vector<const LaunchDirective*>& looked,
                                  Looker looker) {
  // The head of a test of GPUVerify is read for its sizes.
  if (directives.of_gpuverify) return {};
  std::vector<std::string> notes;
  const LaunchDirective* first = nullptr;
  bool any = false;
  for (const LaunchDirective& launch : directives.launches) {
    if (!expects_something(launch, looker)) continue;
    if (std::ranges::count(looked, &launch) > 0) {
      any = true;
      continue;
    }
    if (first == nullptr) first = &launch;
    notes.push_back(fmt::format("{}:{}: what is expected of this launch ({}) is not looked at",
                                launch.where.file, launch.where.line, launch_name(launch)));
  }
  if (first != nullptr && !any) {
    const bool program = looker == Looker::program;
    throw Error(first->where,
                fmt::format("nothing that this file expects is looked at{}; the first is of {}",
                            program ? ", as its function main is run" : "", launch_name(*first)));
  }
  return notes;
}

}  // namespace headway::kernel
