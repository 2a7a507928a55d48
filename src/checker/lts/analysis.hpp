// From a program to what is fair in it: its LTS, the fair sets of a model, and the fair cycles.
// Everything that looks at whole transition systems goes this way: check, explain, residency, the
// LTS for export, behaviours. Every part of it can be stopped.
#pragma once

#include <optional>
#include <vector>

#include "checker/lts/explore.hpp"
#include "checker/lts/fair_cycles.hpp"
#include "checker/lts/verdict.hpp"

namespace headway::checker {

// Keeps its memory between programs. One a core.
class Analysis {
 public:
  // Explores `program`, which has to live on, for models that look at `started` only if it is
  // tracked. Whether there is
  // an LTS now; if not, stopped_by() says why, unless way_to_failure() does.
  bool explore(const lang::Program& program, const ExploreOptions& options);
  Limit stopped_by() const { return stopped_by_; }
  std::optional<std::vector<Step>> way_to_failure() const { return explorer_.way_to_failure(); }
  // What was explored, also when it stopped at a limit.
  std::size_t states() const { return explorer_.explored_states(); }
  std::size_t transitions() const { return explorer_.explored_transitions(); }
  const Lts& lts() const { return *lts_; }

  // What a model makes of the LTS. Valid until the next model or program.
  class View {
   public:
    // Of the program, with the model's own memory where it has one.
    const Lts& lts() const { return *lts_; }
    const FairSets& fair() const { return *fair_; }
    const Components& components() const { return cycles_->components(); }

    // Fails when there is a stuck state or a fair cycle; unknown when it was stopped. `all`
    // receives the components that FairCycles finds, and has no stuck states.
    Verdict verdict(models::Fairness fairness, std::vector<StateIds>* all = nullptr) const;

   private:
    friend class Analysis;
    const Lts* lts_ = nullptr;
    const FairSets* fair_ = nullptr;
    FairCycles* cycles_ = nullptr;
  };
  // Nothing when a limit was reached; stopped_by() says which. A product may have `max_states`.
  // Throws headway::Error when the model gives F a terminated thread.
  std::optional<View> under(const models::Model& model, std::size_t max_states);

 private:
  Explorer explorer_;
  const lang::Program* program_ = nullptr;
  const Lts* lts_ = nullptr;
  StopSigns signs_;
  Limit stopped_by_ = Limit::none;
  FairSets fair_;
  FairCycles cycles_;
  bool prepared_ = false;  // cycles_
  FairProduct product_;
  FairCycles product_cycles_;
};

}  // namespace headway::checker
