// A test in the form in which every target writes it: a function a thread, and memory that the
// instances of the test do not share. Only the body of a kernel knows a language (emit/lower.hpp);
// targets have a dialect.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emit/launch.hpp"

namespace headway::emit {

// A location, or an array, in the memory of an instance.
struct Location {
  std::string name;  // an identifier in every target, "LOC_flag"
  int first = 0;     // word
  bool is_array = false;
};

struct Kernel;
struct Dialect;

// The functions of the threads, in whatever language they were written.
class Body {
 public:
  virtual ~Body() = default;
  // A function a thread, named thread_0, thread_1, ... A thread counts itself as finished where its
  // program counter says so, and not behind the loop: some drivers leave a loop that goes on for
  // too long, and then it must not look as if the thread had come to its end.
  virtual std::string functions(const Kernel& kernel, const Dialect& dialect) const = 0;
};

struct Kernel {
  std::string name;                  // of the test, on one line and without a backslash
  std::shared_ptr<const Body> body;  // never null
  int instructions = 0;
  std::vector<Location> locations;     // by first word
  std::vector<std::uint32_t> initial;  // by word
  Launch launch;
};

// The memory of all instances before a run: word w of instance m is word
// m * (number of words) + w.
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

  // For programs with registers, which are signed.
  std::string_view signed_number;  // of a number that is not negative
  std::string_view to_word;        // of a signed expression
  std::string_view to_signed;      // of a word
  std::string_view remainder;      // of two signed expressions; has the sign of the first
  std::string_view shift_count;    // of a signed expression, as a number of bits
  std::string_view reg;            // of a name, the declaration of a register
  std::string_view unless;         // of a condition and a statement
  std::string_view violated;       // a statement, for an assertion that does not hold
  // Read-modify-writes: each of a location and a value, an expression.
  std::string_view add, subtract, minimum, maximum, bit_and, bit_or, bit_xor;
  std::string_view compare_exchange;  // of a location and two values, an expression
  // Functions that the last ones call, if any, by what calls them.
  std::string_view minimum_helper = {};
  std::string_view maximum_helper = {};
  std::string_view compare_exchange_helper = {};
  std::string_view violated_helper = {};
};

// "THREADS", "LOCATIONS" and the locations as constants; "INSTANCES" is for the target to define.
std::string constants(const Kernel& kernel, const Dialect& dialect);
// As Body::functions().
std::string functions(const Kernel& kernel, const Dialect& dialect);
// The lines that find `thread_id` and `instance` from `group`, the id of the workgroup, and those
// that call the function of that thread, indented by two.
std::string find_place(const Kernel& kernel, const Dialect& dialect);
std::string call_thread(const Kernel& kernel, const Dialect& dialect);

}  // namespace headway::emit
