// A test in the form in which every target writes it: a function a thread, and memory that the
// instances of the test do not share. Only the body of a kernel knows a language (emit/lower.hpp);
// targets have a dialect.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "emit/launch.hpp"
#include "emit/options.hpp"

namespace headway::emit {

// A location, or an array, in the memory of an instance.
struct Location {
  std::string name;  // an identifier in every target, "LOC_flag"
  int first = 0;     // word
  bool is_array = false;
};

struct Kernel;
struct Dialect;

// A barrier of a program of groups.
struct BarrierUse {
  enum class Scope : std::uint8_t { subgroup, workgroup, grid };
  Scope scope = Scope::workgroup;
  bool counts_ended = false;  // threads that have ended count as waiting
  // All threads of a group come by together, whatever they read: the way there does not depend on
  // it. Then threads that have ended never matter.
  bool uniform = false;
  int places = 0;  // statements
};

// An operation of the threads of a subgroup.
struct OperationUse {
  enum class Kind : std::uint8_t { all, any, ballot, broadcast, shuffle, elect };
  Kind kind = Kind::all;
  bool uniform = false;  // as of a barrier
  std::string place;     // "line 5, any(load(x))"; empty where no thread comes by
};
inline constexpr int kOperations = 6;

// What a kernel needs when its code is as its source has it, threads of a group in one function:
// where there are groups of several threads, or anything else that a loop around a switch would
// change or cannot say.
struct Groups {
  Topology topology = 1;            // of an instance
  std::vector<Location> locations;  // in the memory of each workgroup, by first word
  std::vector<std::uint32_t> initial;
  std::vector<BarrierUse> barriers;      // by number in the source
  std::vector<OperationUse> operations;  // likewise
  bool has_labels = false;
  bool falls_through = false;  // from a case of a switch into the next
  bool has_final = false;

  bool uses(BarrierUse::Scope scope) const;
  // Whether some operation is one of several threads.
  bool operates() const;
  bool operates(OperationUse::Kind kind) const;
  // Whether threads have to be in subgroups of the device.
  bool needs_subgroups() const;
  // Whether they have to be all the threads that those have. What does not belong to the program
  // ends at once otherwise, which a barrier of workgroups does not stand: neither one of the
  // program nor that behind which the memory of a workgroup is set.
  bool fill_subgroups() const { return uses(BarrierUse::Scope::workgroup) || !locations.empty(); }
  int workgroup_size() const { return topology.group_threads(Level::workgroup); }
};

// The functions of the threads, in whatever language they were written.
class Body {
 public:
  virtual ~Body() = default;
  // Where the kernel has groups, a function a block of the source, named block_0, block_1, ...
  // Else a function a thread, named thread_0, thread_1, ... A thread counts itself as finished
  // where its program counter says so, and not behind the loop: some drivers leave a loop that goes
  // on for too long, and then it must not look as if the thread had come to its end.
  virtual std::string functions(const Kernel& kernel, const Dialect& dialect) const = 0;
  // The statements that call the block of a thread.
  virtual std::string call_blocks(const Kernel&, const Dialect&) const { return {}; }
  // A function `bool final_holds(const unsigned* memory)` for the host, in C++.
  virtual std::string final_holds(const Kernel&) const { return {}; }
};

struct Kernel {
  std::string name;                  // of the test, on one line and without a backslash
  std::shared_ptr<const Body> body;  // never null
  int instructions = 0;
  std::vector<Location> locations;     // by first word
  std::vector<std::uint32_t> initial;  // by word
  Launch launch;
  Options options;
  std::optional<Groups> groups;

  // Of a launch; each counts itself when it comes to its end.
  int threads() const { return launch.workgroups() * (groups ? groups->workgroup_size() : 1); }
};

// In the count of finished threads: a driver has left the loop of one, and the run tells nothing.
inline constexpr std::uint32_t kCutShort = 1U << 30;
// There, too, of kernels that need subgroups: those of the device are not those of the kernel, and
// the run tells nothing. A launch that begins with kProbe there asks for that alone.
inline constexpr std::uint32_t kMisplaced = 1U << 29;
inline constexpr std::uint32_t kProbe = 1U << 28;

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
  std::string_view cell;           // of a location, a word of the memory of an instance
  std::string_view load;           // of a word, an expression
  std::string_view load_rmw;       // the same as a read-modify-write that changes nothing
  std::string_view exchange;       // of a word and a value, an expression
  std::string_view store;          // of a word and a value, a statement
  std::string_view fence;          // a line, a statement behind every access; none when empty
  std::string_view watch;          // a line, a statement each time round a loop; none when empty
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
  // Read-modify-writes: each of a word and a value, an expression.
  std::string_view add, subtract, minimum, maximum, bit_and, bit_or, bit_xor;
  std::string_view compare_exchange;  // of a word, two values, and the location, an expression
  // Functions that those above call, if any, by what calls them.
  std::string_view load_helper = {};
  std::string_view minimum_helper = {};
  std::string_view maximum_helper = {};
  std::string_view compare_exchange_helper = {};
  std::string_view violated_helper = {};

  // For kernels with groups. What a target has not is empty.
  std::string_view group_cell = {};     // of a location, a word of the memory of a workgroup
  std::string_view group_load = {};     // as load and compare_exchange, of such a word;
  std::string_view group_compare = {};  // as the others where empty
  std::string_view group_compare_helper = {};
  std::string_view weak_compare = {};  // as compare_exchange, a condition: whether it succeeded
  std::string_view weak_compare_helper = {};
  std::string_view id = {};              // of a name, an expression
  std::string_view parameters = {};      // of every function
  std::string_view arguments = {};       // what is given for them
  std::string_view parameter = {};       // of a name
  std::string_view function_void = {};   // of a name and parameters, opens a function
  std::string_view function_value = {};  // the same of one that has a value
  std::string_view temporary = {};       // of a name and a value
  std::string_view array = {};           // of a name and a size, the declaration of registers
  std::string_view cases_begin = {};     // of a list of case labels
  std::string_view case_label = {};      // of a number
  std::string_view default_label = {};
  std::string_view case_separator = {};
  // Of the number of a barrier in the program, and of one from 1 among those that are named.
  std::string_view workgroup_barrier = {};
  std::string_view named_barrier = {};  // where not all come by together
  std::string_view subgroup_barrier = {};
  std::string_view grid_barrier = {};
  // By OperationUse::Kind, functions subgroup_all, subgroup_any, ... What the first two and a
  // ballot take is a condition; the values of all are signed. What they all call stands in front.
  std::array<std::string_view, kOperations> operations = {};
  std::string_view operation_helper = {};
  std::string_view together = {};  // a line in front of each, and of barriers of subgroups
  bool leaves_loops = false;       // drivers leave loops that go on for too long; see kCutShort
};

// A load of a word, of the kind that the kernel's options name; `group`: of a workgroup's memory.
std::string load(const Kernel& kernel, const Dialect& dialect, const std::string& cell,
                 bool group = false);
// The functions that loads call.
std::string load_helper(const Kernel& kernel, const Dialect& dialect);

// What to know of launching a kernel that needs subgroups of the device, a line each.
// `exactly`: where the target has no use for a part of one.
std::vector<std::string> placement(const Groups& groups, bool exactly);

// kMisplaced and kProbe as constants.
std::string subgroup_constants(const Dialect& dialect);

// "THREADS", "LOCATIONS" and the locations as constants; "INSTANCES" is for the target to define.
std::string constants(const Kernel& kernel, const Dialect& dialect);
// As Body::functions().
std::string functions(const Kernel& kernel, const Dialect& dialect);
// The lines that find `thread_id` (where there are groups `group_id`) and `instance` from `group`,
// the id of the workgroup, and those that call the function of that thread, indented by two.
std::string find_place(const Kernel& kernel, const Dialect& dialect);
std::string call_thread(const Kernel& kernel, const Dialect& dialect);

}  // namespace headway::emit
