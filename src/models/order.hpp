// The order between models: A is at most B when, after every history, B guarantees whatever A
// guarantees to a group that can step. Decided exactly for a launch by walking through all
// histories.
//
// There are two orders: over all histories, and over those that recur. What F is before an
// execution settles decides no verdict, so the second is the one that counts: if A is at most B
// in it, an execution that is fair under B is fair under A, and so every test that passes under A
// passes under B, weakly and strongly alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bits/group_set.hpp"
#include "models/fairness.hpp"
#include "models/model.hpp"

namespace headway::models {

enum class Relation { equal, below, above, incomparable };
enum class Scope { recurring, all };  // the histories that are compared

std::string to_string(Relation relation);

// A history after which one model guarantees something that another does not.
struct Separation {
  std::vector<Event> path;  // shortest
  ThreadSet blocked;        // after it
  GroupSet more;            // guaranteed (F) by the one
  GroupSet less;            // and by the other
};

// A model under one notion of fairness; `model` is an index into a list of models.
struct Reading {
  std::size_t model;
  models::Fairness fairness;
  friend bool operator==(const Reading&, const Reading&) = default;
};

// 3^N histories; ten threads take some tenths of a second. Where threads may be blocked and a model
// looks at that there are 5^N.
inline constexpr int kMaxOrderThreads = 10;
inline constexpr int kMaxBlockingOrderThreads = 6;

class ModelOrder {
 public:
  // `topology` has at most kMaxOrderThreads threads. With `may_block` histories count in which
  // threads are blocked, if a model looks at that; then at most kMaxBlockingOrderThreads.
  ModelOrder(std::vector<ModelPtr> models, const Topology& topology, Scope scope,
             bool may_block = false);

  // Whether an order for so many threads is within the limits.
  static bool in_limits(const std::vector<ModelPtr>& models, int threads, bool may_block);

  const Topology& topology() const { return topology_; }
  const std::vector<ModelPtr>& models() const { return models_; }
  Relation relation(std::size_t a, std::size_t b) const;
  bool at_most(std::size_t a, std::size_t b) const { return !separation(a, b); }
  // Why `a` is not at most `b`: a shortest history after which `a` guarantees more.
  const std::optional<Separation>& separation(std::size_t a, std::size_t b) const {
    return separations_[a * models_.size() + b];
  }

  // Readings: a weak one is at most the strong one of the same model, and equal to it when the
  // model never guarantees anything.
  bool at_most(const Reading& a, const Reading& b) const;
  bool equal(const Reading& a, const Reading& b) const { return at_most(a, b) && at_most(b, a); }
  bool below(const Reading& a, const Reading& b) const { return at_most(a, b) && !at_most(b, a); }

 private:
  void compare(Scope scope, const std::vector<std::size_t>& together);

  std::vector<ModelPtr> models_;
  Topology topology_;
  bool may_block_;
  std::vector<std::optional<Separation>> separations_;  // of a and b at [a * size + b]
  std::vector<bool> guarantees_;                        // something, after some history in scope
};

}  // namespace headway::models
