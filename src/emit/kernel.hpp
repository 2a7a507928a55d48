// A test in the form in which every target writes it: a program counter in a loop around a switch
// with a case a step, each step one atomic access to memory that the instances of the test do not
// share. lower() is all that knows the instructions of a language; targets see steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emit/launch.hpp"
#include "lang/test.hpp"

namespace headway::emit {

struct Access {
  enum class Kind { load, store, exchange };
  Kind kind = Kind::load;
  int location = 0;
  std::uint32_t value = 0;  // what a store or an exchange writes
};

struct Step {
  std::string text;  // as a statement of the litmus format
  Access access;
  // Where the program counter goes: to `equal` when the access found the value `check`, otherwise
  // to `otherwise`. Steps count from 0; their number is the end. A store finds nothing, and goes to
  // `otherwise`.
  std::uint32_t check = 0;
  int equal = 0;
  int otherwise = 0;
};

struct Kernel {
  std::string name;  // of the test, on one line and without a backslash
  std::vector<std::vector<Step>> threads;
  std::vector<std::string> locations;  // identifiers in every target, "LOC_flag"
  std::vector<std::uint32_t> initial;  // their values
  Launch launch;

  int steps() const;
};

Kernel lower(const lang::Test& test, Mapping mapping, int instances);

// The memory of all instances before a run: location l of instance m is word
// m * (number of locations) + l.
std::vector<std::uint32_t> initial_memory(const Kernel& kernel);

// "spin-mutex: 2 threads, 4 instructions", the mapping and the layout of memory: what every
// emitted file says first, a line of plain text each.
std::vector<std::string> heading(const Kernel& kernel);
// The same lines as a comment, with `more` behind an empty one.
std::string comment(const Kernel& kernel, std::string_view mark,
                    const std::vector<std::string>& more);

// How a target writes what kernels are made of. Each is a format string of fmt, but for those that
// take nothing, which are lines as they are.
struct Dialect {
  std::string_view number;         // of a number
  std::string_view constant;       // of a name and a number, a line
  std::string_view value;          // of a name and an expression: a variable that does not change
  std::string_view condition;      // the same for a Boolean
  std::string_view pc;             // a line, the declaration of the program counter
  std::string_view loop;           // a line, opens a loop that nothing but a return leaves
  std::string_view choice;         // of an expression, opens a switch
  std::string_view case_begin;     // of a number
  std::string_view case_end;       // a line
  std::string_view default_begin;  // a line
  std::string_view default_end;    // a line; none when empty
  std::string_view select;         // of a condition and two values
  std::string_view load;           // of a location, an expression
  std::string_view exchange;       // of a location and a value, an expression
  std::string_view store;          // of a location and a value, a statement
  std::string_view fence;          // a line, a statement behind every access; none when empty
  std::string_view finish;         // a line, counts a finished thread; none when empty
  std::string_view function;       // of the number of a thread, opens a function
  std::string_view call;           // of the number of a thread, a statement
};

// "THREADS", "LOCATIONS" and the locations as constants; "INSTANCES" is for the target to define.
std::string constants(const Kernel& kernel, const Dialect& dialect);
// A function a thread, named thread_0, thread_1, ... A thread counts itself as finished where its
// program counter says so, and not behind the loop: some drivers leave a loop that goes on for too
// long, and then it must not look as if the thread had come to its end.
std::string functions(const Kernel& kernel, const Dialect& dialect);
// The lines that find `thread_id` and `instance` from `group`, the id of the workgroup, and those
// that call the function of that thread, indented by two.
std::string find_place(const Kernel& kernel, const Dialect& dialect);
std::string call_thread(const Kernel& kernel, const Dialect& dialect);

}  // namespace headway::emit
