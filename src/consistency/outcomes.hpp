// What a memory model allows: the final states of all executions of a program that the model
// admits, whether its condition holds there, and what goes wrong, or what the model flags (races),
// there or on the way.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consistency/graphs.hpp"
#include "consistency/witness.hpp"

namespace headway::consistency {

struct OutcomeOptions : GraphOptions {
  // The first execution that is flagged, or that shows that what must hold, or must not be, does
  // not, or is, ends the search.
  bool until_broken = false;
};

struct Outcomes {
  // What the condition speaks of, "1:r0=1; x=2;", and how many executions end so.
  std::map<std::string, std::size_t> states;
  std::size_t positive = 0, negative = 0;  // executions in which the condition holds, or not
  // Executions, by flag; those that do not end are among them.
  std::map<std::string, std::size_t> flagged;
  std::size_t candidates = 0;  // executions that were tried
  // An execution that decides the condition: in which what must hold does not, or what is asked
  // about is. And the first that is flagged.
  std::optional<Witness> decisive, flag;
  // One in which the program goes wrong, and how: "line 12, assert(r == 1): the assertion does not
  // hold".
  std::optional<Witness> error;
  std::string fault;
  // Why this may not be all; empty: it is.
  std::string cut;

  // "Always", "Sometimes", "Never" does the condition hold; "Unknown" where that was cut.
  std::string observation() const;
  // Whether what the program says of its condition is so; meaningful where nothing was cut, and
  // where an execution that was found decides.
  bool holds(const Program& program) const;
  bool decides(const Program& program) const;
};

// Throws headway::Error for a program of more than kMaxEvents events.
Outcomes outcomes(const Program& program, const cat::Model& model,
                  const OutcomeOptions& options = {});

}  // namespace headway::consistency
