// Threads that are counted where N is a symbol (docs/every-n.md, method C): the places where they
// stand, and what a step from a place does. What is in a variable whose range grows with N, a
// counter, is a number, a multiple of N and the shares that threads have in it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "every/symbolic_machine.hpp"

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

class CountingSpace {
 public:
  // Throws headway::Error or Unsupported for a family that is none for this. Additions to a counter
  // whose content stays at most `largest_number` are no shares.
  CountingSpace(const Family& family, int largest_number);

  int kinds() const { return static_cast<int>(programs_.size()); }
  int specials() const { return specials_; }
  int smallest() const { return family_.smallest; }
  int counters() const { return static_cast<int>(counters_.size()); }
  const std::string& counter_name(int counter) const {
    return family_.variables[counters_[counter]].name;
  }
  const Parametric& family() const { return family_; }
  const ParametricProgram& program(int kind) const { return programs_[kind]; }
  // Where a thread stands.
  lang::SourceLine line(const CountedPlace& place) const {
    return machines_[place.kind].line_at(place.at);
  }
  CountedPlace fresh(int kind) const;
  CountedMemory initial() const;
  // What a step of one of the threads that stand at places[mover].first does.
  std::vector<Effect> effects(const std::vector<std::pair<const CountedPlace*, Count>>& places,
                              std::size_t mover, const CountedMemory& memory) const;
  // Where a thread that stands at `place` stands when such counters have changed.
  CountedPlace after(CountedPlace place, const std::vector<int>& changed) const;

 private:
  struct World;

  bool is_counter(int variable) const { return counter_of_[variable] >= 0; }
  void take(const World& world, int variable, const SymbolicMachine::Index& index,
            std::vector<Effect>& effects) const;
  void write(const World& world, const Facts& facts, int counter, const Linear& value,
             Effect& effect, Linear& now) const;
  Content content_of(const World& world, const Facts& facts, const Linear& value,
                     const std::vector<Linear>& counters) const;

  Parametric family_;
  int specials_ = 0;
  int largest_number_ = 0;
  std::vector<ParametricProgram> programs_;  // by kind
  std::vector<SymbolicMachine> machines_;
  std::vector<CountedPlace> fresh_;
  std::vector<int> counter_of_, cell_of_;  // by variable
  std::vector<int> counters_;              // variables
};

}  // namespace headway::every
