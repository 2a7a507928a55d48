// An LTS annotated with the fair set of a model in every state. The LTS of the program serves
// every model whose F is a function of the history; a model that remembers F gets the product of
// that LTS with its own memory, built from it step by step.
#pragma once

#include <vector>

#include "base/bits/state_table.hpp"
#include "base/limits.hpp"
#include "checker/lts/lts.hpp"

namespace headway::checker {

// Throws headway::Error when `fair`, which `model` gives after `history`, holds a thread that has
// terminated.
void refuse_terminated(const models::Model& model, const History& history, ThreadSet fair);

class FairSets {
 public:
  // Annotates `lts` for a history-determined `model`. Throws headway::Error when the model gives
  // F a terminated thread.
  void annotate(const Lts& lts, const models::Model& model);

  // F, and the obligations: the threads of F that are running.
  ThreadSet fair(const Lts& lts, StateId state) const { return sets_[lts.history_index(state)]; }
  ThreadSet owed(const Lts& lts, StateId state) const { return owed_[lts.history_index(state)]; }

 private:
  friend class FairProduct;
  void add(const Lts& lts, const models::Model& model, const History& history, ThreadSet fair);

  std::vector<ThreadSet> sets_;  // by history of the LTS
  std::vector<ThreadSet> owed_;
};

// The product for a model whose F has a memory: states are (state of the LTS, F).
class FairProduct {
 public:
  // False when the product has more than `max_states` states or `signs` said to stop. The product
  // keeps no more of `lts` than copies. Throws headway::Error when the model gives F a terminated
  // thread.
  bool build(const Lts& lts, const models::Model& model, std::size_t max_states,
             const StopSigns& signs = {});

  const Lts& lts() const { return lts_; }
  const FairSets& fair_sets() const { return fair_; }

 private:
  Lts lts_;  // a history of it is (history, F)
  FairSets fair_;
};

}  // namespace headway::checker
