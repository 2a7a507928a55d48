// An LTS annotated with what a model guarantees in every state. The LTS of the program serves
// every model whose F is a function of the history; a model that remembers F gets the product of
// that LTS with its own memory, built from it step by step.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "base/bits/group_set.hpp"
#include "base/bits/hash.hpp"
#include "base/bits/state_table.hpp"
#include "base/limits.hpp"
#include "checker/lts/lts.hpp"

namespace headway::checker {

// Throws headway::Error when `selected`, which `model` gives after `history`, holds a group whose
// threads have all terminated.
void refuse_terminated(const models::Model& model, const Topology& topology, const History& history,
                       const GroupSet& selected);

// Throws headway::Error when `model` looks at instructions and `program` has none.
void refuse_unseen_instructions(const models::Model& model, const lang::Program& program);

// Whether steps of `threads` are steps of each of the groups in `owed`.
inline bool meet(const Topology& topology, ThreadSet threads, const GroupSet& owed) {
  if (topology.is_flat()) return threads.includes(owed.threads);
  return groups_of(topology, threads).includes(owed);
}

// The obligations: the groups of those guaranteed that have a running thread.
inline GroupSet owed_groups(const Topology& topology, const History& history,
                            const GroupSet& guaranteed) {
  return guaranteed & groups_of(topology, history.ready(topology.threads()));
}

class FairSets {
 public:
  FairSets() = default;
  // What is owed in each history of an LTS, whoever says so.
  explicit FairSets(std::vector<GroupSet> owed) : sets_(owed), owed_(std::move(owed)) {}

  // Annotates `lts` for a history-determined `model`. Throws headway::Error when the model gives
  // F a terminated thread.
  void annotate(const Lts& lts, const models::Model& model);

  // The groups that are guaranteed (of a flat launch: F), and the obligations.
  const GroupSet& fair(const Lts& lts, StateId state) const {
    return sets_[lts.history_index(state)];
  }
  const GroupSet& owed(const Lts& lts, StateId state) const {
    return owed_[lts.history_index(state)];
  }
  // The obligations by history of the LTS: what verdicts depend on.
  const std::vector<GroupSet>& owed() const { return owed_; }

 private:
  friend class FairProduct;
  void look_up(const Lts& lts, const models::Model& model);
  void add(const Lts& lts, const models::Model& model, const History& history,
           const GroupSet& selected);

  std::vector<GroupSet> sets_;  // by history of the LTS
  std::vector<GroupSet> owed_;

  // What models guarantee in launches that are not flat, where to find it takes longer than to look
  // it up: many small programs of one launch have few histories.
  struct Known {
    GroupSet guaranteed, owed;
  };
  struct HashKey {
    std::size_t operator()(const History::Key& key) const {
      return hash_words(key.data(), key.size());
    }
  };
  using KnownOfModel = std::unordered_map<History::Key, Known, HashKey>;
  std::map<std::pair<std::uint64_t, Topology>, KnownOfModel> known_;  // by serial and launch
  std::size_t known_size_ = 0;
};

// The product for a model that remembers: states are (state of the LTS, what the model selects).
class FairProduct {
 public:
  // False when the product has more than `max_states` states or `signs` said to stop. The product
  // keeps no more of `lts`, which is that of `program`, than copies. Throws headway::Error when the
  // model gives F a terminated thread, or looks at instructions that there are not.
  bool build(const lang::Program& program, const Lts& lts, const models::Model& model,
             std::size_t max_states, const StopSigns& signs = {});

  const Lts& lts() const { return lts_; }
  const FairSets& fair_sets() const { return fair_; }

 private:
  Lts lts_;  // a history of it is (history, what is selected)
  FairSets fair_;
};

}  // namespace headway::checker
