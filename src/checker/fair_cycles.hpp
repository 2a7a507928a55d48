// Decides whether an annotated LTS has a reachable fair cycle (semantics: docs/semantics.md;
// Sorensen et al., OOPSLA 2021, section 5). A test fails exactly when it has one.
//
// F may differ between the states of a component; nothing here assumes that it does not.
#pragma once

#include <vector>

#include "checker/components.hpp"
#include "checker/fair_sets.hpp"

namespace headway::checker {

class FairCycles {
 public:
  // Prepares for an LTS: its components serve every model. `lts` must stay alive and unchanged.
  void prepare(const Lts& lts);

  using StateSet = std::vector<StateId>;  // in increasing order

  // Whether there is a weakly (strongly) fair cycle under `fair`. Without `all` the search stops
  // at the first; with it, `all` receives every maximal component that has one: for weak fairness
  // a component of the LTS, for strong fairness a strongly connected set of states that no
  // guaranteed step leaves.
  bool has_weak(const FairSets& fair, std::vector<StateSet>* all = nullptr) const;
  bool has_strong(const FairSets& fair, std::vector<StateSet>* all = nullptr);

  const Components& components() const { return components_; }

 private:
  const Lts* lts_ = nullptr;
  Components components_;
  Components shrunk_;  // in later rounds of has_strong
  std::vector<bool> kept_;
};

}  // namespace headway::checker
