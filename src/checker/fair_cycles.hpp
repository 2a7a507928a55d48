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

  // Whether some component has a weakly (strongly) fair cycle under `fair`. If so and `found` is
  // given, it receives the states of such a component: for weak fairness a maximal one, for
  // strong fairness a strongly connected set that no guaranteed step leaves.
  bool has_weak(const FairSets& fair, std::vector<StateId>* found = nullptr) const;
  bool has_strong(const FairSets& fair, std::vector<StateId>* found = nullptr);

  const Components& components() const { return components_; }

 private:
  const Lts* lts_ = nullptr;
  Components components_;
  Components shrunk_;  // in later rounds of has_strong
  std::vector<bool> kept_;
};

}  // namespace headway::checker
