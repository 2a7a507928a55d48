// Decides whether an annotated LTS has a reachable fair cycle (semantics:
// docs/reference/semantics.md; Sorensen et al., OOPSLA 2021, section 5). A test whose LTS has no
// stuck state fails exactly when it has one.
//
// What is owed may differ between the states of a component; nothing here assumes that it does not.
#pragma once

#include <vector>

#include "checker/lts/components.hpp"
#include "checker/lts/fair_sets.hpp"

namespace headway::checker {

class FairCycles {
 public:
  // Prepares for an LTS: its components serve every model. `lts` must stay alive and unchanged.
  // False when `signs` said to stop; then nothing else may be asked.
  bool prepare(const Lts& lts, const StopSigns& signs = {});

  enum class Answer { no, yes, stopped };

  // Whether there is a weakly (strongly) fair cycle under `fair`. Without `all` the search stops
  // at the first; with it, `all` receives every maximal component that has one: for weak fairness
  // a component of the LTS, for strong fairness a strongly connected set of states in which each
  // obligation can be met. States are in increasing order.
  Answer weak(const FairSets& fair, std::vector<StateIds>* all = nullptr) const;
  Answer strong(const FairSets& fair, std::vector<StateIds>* all = nullptr);

  const Components& components() const { return components_; }

 private:
  const Lts* lts_ = nullptr;
  StopSigns signs_;
  Components components_;
  Components shrunk_;  // in later rounds of strong()
  std::vector<bool> kept_;
};

}  // namespace headway::checker
