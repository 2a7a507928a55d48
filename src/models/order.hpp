// The order between models: A is at most B when, after every history, B guarantees whatever A
// guarantees to a group that can step. Decided exactly for a launch by walking through all
// histories.
//
// There are two orders: over all histories, and over those that recur. What F is before an
// execution settles decides no verdict, so the second is the one that counts: if A is at most B
// in it, an execution that is fair under B is fair under A, and so every test that passes under A
// passes under B, weakly and strongly alike.
//
// In the second B may also guarantee a group around that of A, as long as those of its threads that
// can step again and again are all in that of A. Let an infinite execution be fair under B. The
// states that it visits again and again have histories between which it goes to and fro. Let W be
// those of them in which A owes a step to a group g, and M the threads that have started and are
// ready in one of W. Each step of a thread that had not started, and each last one, leads to
// another history for good; so whoever steps from W again and again is in M. Let g' be a group
// around g, or g, that B guarantees in all of W, and whose threads in M are all in g. It is ready
// where g is, so B owes it a step in all of W.
// - Strongly: from a state of W that is visited again and again, a step of a thread of g' is taken
//   again and again. That thread is in M, so in g.
// - Weakly: if A owes g a step from some point on, then all that is visited again and again is in
//   W, and B owes g' a step from there on. So threads of g' step again and again. They are in M, so
//   in g.
// Either way A has what it asks for g. Of those around g with all of their M in g it is enough to
// look at the outermost one: where a group is guaranteed, so are those around it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bits/group_set.hpp"
#include "models/fairness.hpp"
#include "models/model.hpp"

namespace headway::models {

class Histories;

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
  void compare_at(const std::vector<std::uint32_t>& visited, const Histories& histories,
                  Scope scope, const std::vector<std::size_t>& together);

  std::vector<ModelPtr> models_;
  Topology topology_;
  bool may_block_;
  std::vector<std::optional<Separation>> separations_;  // of a and b at [a * size + b]
  std::vector<std::size_t> separated_at_;               // the histories, while they are sought
  std::vector<bool> guarantees_;                        // something, after some history in scope
};

}  // namespace headway::models
