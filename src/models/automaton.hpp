// The automaton of a model for a number of threads, as tables: for those who run a model without
// this program, such as the page that `headway report` writes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/model.hpp"

namespace headway::models {

struct Automaton {
  struct Node {
    History history;  // `started` is {} when the model does not look at it
    ThreadSet fair;   // F
  };
  std::vector<Node> nodes;  // reachable ones, the initial one first
  // The node after a step of `thread`, at [(node * threads + thread) * 2 + terminates]; 0 where
  // the thread has terminated.
  std::vector<std::uint32_t> next;
};

// A model that is a function of the history has 3^threads nodes, or 2^threads when it does not
// look at `started`; one that remembers F at most 2^threads times as many. Not of a model that
// looks at instructions.
Automaton tabulate(const Model& model, int threads);

}  // namespace headway::models
