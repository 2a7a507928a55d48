// A program as tables: every thread an automaton whose steps each read one shared variable and may
// write it. Says nothing that Program does not; it is for engines that look at a program as a
// whole, to pack its states, to find its loops and its interchangeable threads.
#pragma once

#include <cstdint>
#include <vector>

namespace headway::lang {

struct StepTables {
  struct Outcome {
    std::uint16_t next = 0;   // the local state after the step
    std::uint16_t value = 0;  // of the variable after the step

    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  // A local state in which a thread has a step.
  struct LocalRow {
    std::uint16_t variable = 0;
    std::vector<Outcome> outcomes;  // by the value that the step reads; one a value

    friend bool operator==(const LocalRow&, const LocalRow&) = default;
  };
  // Local states are numbered; the one behind the last of `locals` is where the thread has
  // terminated, and where a step may go wrong, the next one is where the thread has failed.
  // Threads with equal tables run the same program.
  struct Thread {
    std::vector<LocalRow> locals;  // at least one
    std::uint16_t initial = 0;
    bool may_fail = false;

    std::uint16_t end() const { return static_cast<std::uint16_t>(locals.size()); }
    std::uint16_t failed() const { return static_cast<std::uint16_t>(locals.size() + 1); }
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  // Holds 0 .. values-1.
  struct Variable {
    std::uint16_t values = 1;
    std::uint16_t initial = 0;
  };

  std::vector<Variable> variables;
  std::vector<Thread> threads;
};

}  // namespace headway::lang
