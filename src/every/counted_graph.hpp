// Threads that are counted, for every N (docs/internals/every-n.md): the places where they stand,
// what is in memory, nodes that say how many stand where, and what a step is, by numbers (method A)
// or with N as a symbol (method C). What is in a variable whose range grows with N, a counter, is a
// number, a multiple of N and the shares that threads have in it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "every/parametric.hpp"

namespace headway::every {

// What a register holds at a place.
struct Content {
  bool is_number = true;
  std::int64_t number = 0;
  int counter = -1;  // what that counter holds, unless -1
  std::optional<InN> low, high;

  friend bool operator==(const Content& a, const Content& b) { return a.key() == b.key(); }
  std::vector<std::int64_t> key() const;
};

// Of one family all places have the same number of shares, and those of a kind of registers.
struct CountedPlace {
  enum class Stage { fresh, running, ended };
  Stage stage = Stage::fresh;
  int kind = 0;
  int at = 0;
  std::vector<Content> registers;
  std::vector<int> shares;  // by counter

  std::vector<std::int64_t> key() const;
};

struct CountedCounter {
  std::int64_t by_n = 0, constant = 0;
};

// What is in memory; the shares of threads are at their places.
struct CountedMemory {
  std::vector<std::int64_t> cells;       // of the variables that are no counters
  std::vector<CountedCounter> counters;  // by counter

  std::vector<std::int64_t> key() const;
};

struct CountedNode {
  CountedMemory memory;
  std::vector<std::pair<int, int>> counts;  // place and count > 0, by place; at the cap: or more
  std::vector<int> may;  // places that are not counted where threads may stand, by place
};

// What can happen, for every N. Nothing goes wrong.
struct CountedGraph {
  bool symbolic = false;
  int largest_number = 0;  // of CountingSpace, where it is
  std::vector<CountedPlace> places;
  std::vector<int> caps;  // by place; 0: it is not counted
  std::vector<CountedNode> nodes;
};

// How many threads stand at a place: a number, or so many or more.
struct Count {
  std::int64_t least = 0;
  bool or_more = false;
};

struct Effect {
  bool fails = false;
  std::string what;
  lang::SourceLine line;
  CountedPlace place;
  CountedMemory memory;
  std::vector<int> changed;  // counters
};

// What threads do that are of kinds: specials, and classes of the crowd.
class CountedSteps {
 public:
  virtual ~CountedSteps() = default;

  virtual CountedPlace fresh(int kind) const = 0;
  virtual CountedMemory initial() const = 0;
  // What a step of one of the threads that stand at places[mover].first may do.
  virtual std::vector<Effect> effects(
      const std::vector<std::pair<const CountedPlace*, Count>>& places, std::size_t mover,
      const CountedMemory& memory) const = 0;
  // Where a thread that stands at `place` stands when such counters have changed.
  virtual CountedPlace after(CountedPlace place, const std::vector<int>& changed) const = 0;
};

}  // namespace headway::every
