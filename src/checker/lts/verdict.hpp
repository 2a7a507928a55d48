// What is decided about a test under a model.
#pragma once

#include <cstdint>
#include <string>

#include "models/fairness.hpp"

namespace headway::checker {

using models::Fairness;

// unknown: a limit was reached before the verdict was certain, or it was not asked for.
// error: the program can go wrong (lang::Program::may_fail), under this model as under any.
enum class Verdict : std::uint8_t { pass, fail, unknown, error };

std::string to_string(Verdict verdict);

// The verdicts under one model.
struct ModelVerdict {
  Verdict weak = Verdict::unknown;
  Verdict strong = Verdict::unknown;

  Verdict of(Fairness fairness) const { return fairness == Fairness::weak ? weak : strong; }
  friend bool operator==(const ModelVerdict&, const ModelVerdict&) = default;
};

}  // namespace headway::checker
