// Threads in a row where N is a symbol (docs/internals/every-n.md, method B): each has a position,
// its id or a number that it draws as its first act, and what it reads is its own, or of those
// below. A place says where one thread stands, whatever its position; what a step does depends on
// what others may have written.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "every/symbolic_machine.hpp"

namespace headway::every {

// What is known of a variable.
enum class Role {
  any,      // it may hold what somebody writes, or of many values whatever its range allows
  draw,     // threads draw their positions from it, and do nothing else with it
  owned,    // an element is written by the thread at its position alone
  baton,    // passed from each position to the next one, by who has seen its own
  guarded,  // used by who holds the baton alone
};

// What all threads together may have written. Part of a proof: steps stay within it.
struct PositionSets {
  bool drawn = false;       // whether positions are drawn
  std::vector<Role> roles;  // by variable
  // Of variables of few values, apart for position 0 and for those behind it: what may be seen
  // there, and what is there when the owner has ended.
  using ByOwner = std::map<std::pair<int, bool>, std::set<std::int64_t>>;
  ByOwner seen, last;
  // Whether all threads that end have passed the baton.
  bool all_pass = true;
  // What may be in the guarded variables, in their order, when the baton is passed.
  std::set<std::vector<std::int64_t>> handed;

  // Adds what is written; returns whether some of it was not there.
  bool include(const PositionSets& written);
};

// What a register holds: a number, or something between bounds, each of a number, of a number and
// N, or of a number and the position.
struct Between {
  bool is_number = true;
  std::int64_t number = 0;
  std::optional<std::int64_t> low, low_position, high, high_position, high_n;

  std::vector<std::int64_t> key() const;
};

struct PositionPlace {
  enum class At { anywhere, first, behind };  // the position: 0 or more, 0, 1 or more
  enum class Baton { waits, holds, passed };
  int block = 0;
  bool fresh = true, ended = false;
  At position = At::anywhere;
  Baton baton = Baton::waits;
  int at = 0;
  std::vector<Between> registers;
  std::vector<std::int64_t> own;      // by owned variable, in their order
  std::vector<std::int64_t> guarded;  // while the baton is held

  std::vector<std::int64_t> key() const;
  // Whether the position may be 0, or another one.
  bool may_be(bool first) const {
    return position == At::anywhere || (position == At::first) == first;
  }
};

// How a step changes what a register holds.
struct Change {
  bool never_grows = false, falls = false, never_falls = false, grows = false;
};

struct PositionEffect {
  bool fails = false;
  std::string what;
  lang::SourceLine line;
  int against = -1;  // the variable whose role does not allow it; with `fails`
  PositionPlace place;
  std::vector<Change> changes;  // by register
  // Written to an owned variable or one of few values: which, and what.
  int written = -1;
  std::int64_t value = 0;
  bool passes = false;  // the baton, with what was guarded
  std::vector<std::int64_t> handed;
};

class PositionSpace {
 public:
  // Throws headway::Error or Unsupported for a family that is none for this.
  explicit PositionSpace(const Family& family);

  const Parametric& family() const { return family_; }
  const ParametricProgram& program(int block) const { return programs_[block]; }
  // Where a thread stands.
  lang::SourceLine line(const PositionPlace& place) const {
    return machines_[place.block].line_at(place.at);
  }
  // Whether threads draw their positions from a variable by their first step; which.
  std::optional<int> drawn_from() const { return drawn_from_; }
  // With those roles; those that cannot be for what is declared are made `any`.
  PositionSets beginning(bool drawn, std::vector<Role> roles) const;
  bool is_accessed(int variable) const;
  // What is there for others after a step that does not go wrong.
  PositionSets written(const PositionEffect& effect, const PositionSets& sets) const;
  std::vector<PositionPlace> starts(const PositionSets& sets) const;
  // What the next step of a thread does. With `below_ended`: when all below it have ended.
  std::vector<PositionEffect> effects(const PositionPlace& place, const PositionSets& sets,
                                      bool below_ended) const;

 private:
  struct World;

  Facts known_of(int block, PositionPlace::At position, bool drawn) const;
  void step(const World& world, const Facts& more, const Linear& old, std::optional<bool> own,
            std::vector<PositionEffect>& effects) const;
  void refuse(const std::string& what, const PositionPlace& place, int variable,
              std::vector<PositionEffect>& effects) const;
  Between between(const Facts& facts, const Linear& value) const;
  std::size_t rank(const PositionSets& sets, Role role, int variable) const;

  Parametric family_;
  std::vector<ParametricProgram> programs_;  // by block
  std::vector<SymbolicMachine> machines_;
  std::vector<std::pair<InN, InN>> bounds_;  // of ids, by block
  std::optional<int> drawn_from_;
};

}  // namespace headway::every
