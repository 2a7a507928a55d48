// The order between models: A is at most B when, after every history, B guarantees whatever A
// guarantees. Decided exactly for a number of threads by walking through all histories.
//
// There are two orders: over all histories, and over those that recur. What F is before an
// execution settles decides no verdict, so the second is the one that counts: if A is at most B
// in it, an execution that is fair under B is fair under A, and so every test that passes under A
// passes under B, weakly and strongly alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/fairness.hpp"
#include "models/model.hpp"

namespace headway::models {

enum class Relation { equal, below, above, incomparable };
enum class Scope { recurring, all };  // the histories that are compared

std::string to_string(Relation relation);

// A history after which one model guarantees something that another does not.
struct Separation {
  std::vector<Event> path;  // shortest
  ThreadSet more;           // F of the one
  ThreadSet less;           // F of the other
};

// A model under one notion of fairness; `model` is an index into a list of models.
struct Reading {
  std::size_t model;
  models::Fairness fairness;
  friend bool operator==(const Reading&, const Reading&) = default;
};

// 3^N histories; ten threads take some tenths of a second.
inline constexpr int kMaxOrderThreads = 10;

class ModelOrder {
 public:
  // `threads` in 1 .. kMaxOrderThreads.
  ModelOrder(std::vector<ModelPtr> models, int threads, Scope scope);

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
  void compare(int threads, Scope scope, const std::vector<std::size_t>& together);

  std::vector<ModelPtr> models_;
  std::vector<std::optional<Separation>> separations_;  // of a and b at [a * size + b]
  std::vector<bool> guarantees_;                        // something, after some history in scope
};

}  // namespace headway::models
