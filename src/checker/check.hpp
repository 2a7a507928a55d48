// From a program and models to verdicts.
#pragma once

#include <span>
#include <vector>

#include "checker/explore.hpp"
#include "checker/fair_cycles.hpp"
#include "lang/test.hpp"

namespace headway::checker {

using lang::Fairness;

// unknown: a limit was reached before the verdict was certain.
enum class Verdict : std::uint8_t { pass, fail, unknown };

std::string to_string(Verdict verdict);

// The verdicts under one model.
struct ModelVerdict {
  Verdict weak = Verdict::unknown;
  Verdict strong = Verdict::unknown;

  Verdict of(Fairness fairness) const { return fairness == Fairness::weak ? weak : strong; }
  friend bool operator==(const ModelVerdict&, const ModelVerdict&) = default;
};

struct CheckOptions {
  std::size_t max_states = kDefaultMaxStates;
  const std::atomic<bool>* stop = nullptr;  // deciding stops soon after this becomes true
};

struct CheckResult {
  std::vector<ModelVerdict> verdicts;  // one a model, in the order they were given
  // Of the LTS with as much history as the models look at; where the limit stopped the
  // exploration, what was explored by then.
  std::size_t states = 0;
  std::size_t transitions = 0;
  bool complete = true;  // false: max_states was reached, or it was stopped
};

// Keeps its memory between programs. One a core.
class Checker {
 public:
  // Decides all `models`, weakly and strongly. The LTS is explored once. Throws headway::Error
  // when a model gives F a terminated thread.
  CheckResult check(const lang::Program& program, std::span<const models::ModelPtr> models,
                    const CheckOptions& options = {});

 private:
  Explorer explorer_;
  FairCycles cycles_;
  FairSets fair_;
};

}  // namespace headway::checker
